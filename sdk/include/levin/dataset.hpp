// Data modules made from LibTorch's datasets, with their transforms and collations. For a dataset per split:
//   auto digits(levin::Split split) {
//     using namespace torch::data;
//     return datasets::MNIST("mnist", split == levin::Split::train ? datasets::MNIST::Mode::kTrain
//                                                                  : datasets::MNIST::Mode::kTest)
//         .map(transforms::Normalize<>(0.1307, 0.3081))
//         .map(transforms::Stack<>());
//   }
//   LEVIN_PLUGIN("org.me.digits", "1.0.0", "MIT", levin::dataset<digits, 10>("digits", "MNIST"))
// where 10 is the number of classes (0 = the target is not a class). The function may return an empty torch::optional
// of a dataset for a missing split. For options and other members of a component write a class with a member `dataset`:
//   struct Digits {
//     static constexpr levin_option options[] = {...};
//     static constexpr int64_t classes = 10;            // or std::vector<levin::Field> fields();
//     explicit Digits(const levin::Args&);
//     auto dataset(levin::Split);                       // called once for each split
//   };
//   LEVIN_PLUGIN("org.me.digits", "1.0.0", "MIT", levin::dataset<Digits>("digits", "MNIST"))
// Without `fields` they are derived from the first row: "x" and, for examples with a target, "y". Batches other than
// torch::data::Example are converted by a member `static std::vector<torch::Tensor> tensors(Batch)`. Stateful datasets
// and datasets whose request is a number are streams. Random transforms use LibTorch's generator.
#pragma once
#include <utility>
#include <vector>

#include "levin/torch/torch_data.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// A subset of a dataset's rows, for use with levin::random_split.
template <class D>
class Subset : public torch::data::datasets::BatchDataset<Subset<D>, typename D::BatchType> {
 public:
  Subset(D dataset, const std::vector<int64_t>& rows) : dataset_(std::move(dataset)), rows_(rows.begin(), rows.end()) {}
  typename D::BatchType get_batch(torch::ArrayRef<size_t> request) override {
    std::vector<size_t> rows;
    for (const size_t i : request) rows.push_back(rows_.at(i));
    return dataset_.get_batch(rows);
  }
  torch::optional<size_t> size() const override { return rows_.size(); }

 private:
  D dataset_;
  std::vector<size_t> rows_;
};
template <class D>
Subset<D> subset(D dataset, const std::vector<int64_t>& rows) {
  return Subset<D>(std::move(dataset), rows);
}

namespace detail {

template <auto Function, int64_t Classes>
struct FunctionSource {
  static constexpr int64_t classes = Classes;
  auto dataset(Split split) { return Function(split); }
};

}  // namespace detail

// Returns the component of a class with a member `dataset`.
template <class Source>
levin_component dataset(const char* id, const char* summary) {
  return data_module<detail::TorchData<Source>>(id, summary);
}
// Returns the component of a function that creates the dataset of a split. Classes: number of classes of the target; 0
// = the target is not a class.
template <auto Function, int64_t Classes = 0>
levin_component dataset(const char* id, const char* summary) {
  return data_module<detail::TorchData<detail::FunctionSource<Function, Classes>>>(id, summary);
}

}  // namespace levin
#pragma GCC visibility pop
