// levin::Data: the rows of one split in a program.
#pragma once
#include <torch/data/datasets/base.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/error.hpp"
#include "levin/torch/example_tensors.hpp"
#include "levin/trainer/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

class RowSource {
 public:
  RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  virtual ~RowSource() = default;
  virtual int64_t rows() = 0;
  // Returns one tensor per field; the first dimension is the rows.
  virtual std::vector<torch::Tensor> batch(const std::vector<size_t>& rows) = 0;
};

class TensorRows : public RowSource {
 public:
  explicit TensorRows(std::vector<torch::Tensor> fields) : fields_(std::move(fields)) {
    for (size_t i = 0; i < fields_.size(); ++i) {
      const torch::Tensor& field = fields_[i];
      const std::string name = "tensor " + std::to_string(i + 1) + " of " + std::to_string(fields_.size());
      if (!field.defined()) refuse(name + " is undefined");
      if (field.dim() == 0) refuse(name + " is a single number; its first dimension has to be the rows");
      if (field.size(0) != fields_[0].size(0))
        refuse(name + " has " + std::to_string(field.size(0)) + " rows, and the first one has " +
               std::to_string(fields_[0].size(0)));
    }
  }
  int64_t rows() override { return fields_.empty() ? 0 : fields_.front().size(0); }
  std::vector<torch::Tensor> batch(const std::vector<size_t>& rows) override {
    const torch::Tensor index = torch::empty({static_cast<int64_t>(rows.size())}, torch::kInt64);
    std::copy(rows.begin(), rows.end(), index.data_ptr<int64_t>());
    std::vector<torch::Tensor> out;
    for (const torch::Tensor& field : fields_) out.push_back(field.index_select(0, index));
    return out;
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw TrainerError(ErrorKind::usage, "the tensors of a data set do not fit: " + what, "E0246");
  }
  std::vector<torch::Tensor> fields_;
};

template <class D>
class DatasetRows : public RowSource {
 public:
  explicit DatasetRows(D dataset) : dataset_(std::move(dataset)) {}
  int64_t rows() override {
    const auto size = dataset_.size();
    if (!size) throw Error(LEVIN_E_UNSUPPORTED, "a dataset of a program has to know its size");
    return static_cast<int64_t>(*size);
  }
  std::vector<torch::Tensor> batch(const std::vector<size_t>& rows) override {
    return tensors_of(dataset_.get_batch(rows));
  }

 private:
  D dataset_;
};

template <class D, class = void>
struct is_dataset : std::false_type {};
template <class D>
struct is_dataset<D, std::void_t<typename D::BatchRequestType>> : std::true_type {};

}  // namespace detail

// Tensors whose first dimension is the rows, the input first and the target second: {x, y}; or a dataset of LibTorch
// with random access. Copies share the rows.
class Data {
 public:
  Data() = default;  // no such split
  Data(std::initializer_list<torch::Tensor> fields) : Data(std::vector<torch::Tensor>(fields)) {}
  Data(std::vector<torch::Tensor> fields) : rows_(std::make_shared<detail::TensorRows>(std::move(fields))) {}
  template <class D, class = std::enable_if_t<detail::is_dataset<D>::value>>
  Data(D dataset) : rows_(std::make_shared<detail::DatasetRows<D>>(std::move(dataset))) {}
  const std::shared_ptr<detail::RowSource>& rows() const { return rows_; }

 private:
  std::shared_ptr<detail::RowSource> rows_;
};

}  // namespace levin
#pragma GCC visibility pop
