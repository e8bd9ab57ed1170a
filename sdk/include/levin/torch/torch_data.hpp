// The data module of a class with a member `dataset` (levin/dataset.hpp).
#pragma once
#include <ATen/core/grad_mode.h>
#include <torch/csrc/utils/variadic.h>
#include <torch/data/datasets/base.h>
#include <torch/data/datasets/map.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/data_module.hpp"
#include "levin/torch/example_tensors.hpp"
#include "levin/torch/managed.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

LEVIN_DETECT(classes)
LEVIN_DETECT(tensors)

template <class D>
const D* present(const D& dataset) {
  return &dataset;
}
template <class D>
const D* present(const torch::optional<D>& dataset) {
  return dataset ? &*dataset : nullptr;
}

template <class Source>
class TorchData : public DataModule {
  using Made = decltype(std::declval<Source&>().dataset(Split::train));
  using D = std::remove_const_t<std::remove_pointer_t<decltype(present(std::declval<const Made&>()))>>;
  static constexpr bool by_index = std::is_same_v<typename D::BatchRequestType, torch::ArrayRef<size_t>>;

 public:
  static constexpr bool concurrent = [] {
    if constexpr (has_concurrent<Source>::value)
      return Source::concurrent;
    else
      return false;
  }();
  static std::pair<const levin_option*, uint32_t> option_table() { return options_of<Source>(); }

  explicit TorchData(const Args& args) : source_(made(args)) {}

  std::vector<Field> fields() {
    if constexpr (has_fields<Source>::value)
      return source_->fields();
    else
      return measured();
  }
  int64_t rows(Split split) {
    D* const set = of(split);
    if (!set) return 0;
    if (!by_index) return -1;
    const auto size = set->size();
    return size ? static_cast<int64_t>(*size) : -1;
  }
  void batch(const Fill& in, std::vector<levin_managed*>& out) {
    if constexpr (by_index) give(of(in.split)->get_batch(std::vector<size_t>(in.indices, in.indices + in.n)), out);
  }
  void rewind(const Fill& in) {
    D* const set = of(in.split);
    if constexpr (D::is_stateful) set->reset();
    const auto size = set->size();
    held_[static_cast<uint32_t>(in.split)].left = size ? static_cast<int64_t>(*size) : -1;
  }
  bool next(const Fill& in, std::vector<levin_managed*>& out) {
    if constexpr (by_index) {
      throw Error(LEVIN_E_UNSUPPORTED, "a dataset with random access says how many rows it has");
    } else if constexpr (D::is_stateful) {
      auto batch = of(in.split)->get_batch(static_cast<size_t>(in.n));
      if (!batch) return false;
      give(std::move(*batch), out);
    } else {
      int64_t& left = held_[static_cast<uint32_t>(in.split)].left;
      const int64_t n = left < 0 ? in.n : std::min(left, in.n);
      if (n == 0) return false;
      if (left > 0) left -= n;
      give(of(in.split)->get_batch(static_cast<size_t>(n)), out);
    }
    return true;
  }

 private:
  struct Held {
    std::optional<Made> made;
    D* dataset = nullptr;
    int64_t left = -1;  // rows of a stream in this epoch; -1 = unknown
  };
  static std::unique_ptr<Source> made(const Args& args) {
    if constexpr (std::is_constructible_v<Source, const Args&>)
      return std::make_unique<Source>(args);
    else
      return (void)args, std::make_unique<Source>();
  }
  // Created on first use, on the main thread.
  D* of(Split split) {
    Held& held = held_[static_cast<uint32_t>(split)];
    if (!held.made) {
      held.made.emplace(source_->dataset(split));
      held.dataset = const_cast<D*>(present(*held.made));
    }
    return held.dataset;
  }
  template <class Batch>
  static std::vector<at::Tensor> to_tensors(Batch batch) {
    if constexpr (has_tensors<Source>::value) {
      return Source::tensors(std::move(batch));
    } else {
      static_assert(has_tensors_of<Batch>::value,
                    "batches of this dataset are no torch::data::Example of tensors: map it with Stack, or declare "
                    "static std::vector<torch::Tensor> tensors(Batch)");
      if constexpr (has_tensors_of<Batch>::value) return tensors_of(std::move(batch));
    }
  }
  template <class Batch>
  static void give(Batch batch, std::vector<levin_managed*>& out) {
    const at::NoGradGuard no_grad;
    for (const at::Tensor& tensor : to_tensors(std::move(batch))) out.push_back(managed(tensor));
  }
  std::vector<at::Tensor> first_row() {
    for (const Split split : {Split::train, Split::val, Split::test, Split::predict}) {
      D* const set = of(split);
      if (!set || rows(split) == 0) continue;
      if constexpr (by_index) {
        return to_tensors(set->get_batch(std::vector<size_t>{0}));
      } else if constexpr (D::is_stateful) {
        set->reset();
        if (auto batch = set->get_batch(1)) return to_tensors(std::move(*batch));
      } else {
        throw Error(LEVIN_E_UNSUPPORTED,
                    "a dataset that is a stream does not say what its rows are: declare "
                    "std::vector<levin::Field> fields()");
      }
    }
    return {};
  }
  std::vector<Field> measured() {
    if (!measured_.empty()) return measured_;
    const std::vector<at::Tensor> row = first_row();
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string name = i == 0 ? "x" : i == 1 ? "y" : "field" + std::to_string(i);
      measured_.push_back(input(name, to_levin(row[i].scalar_type()), row[i].sizes().slice(1).vec()));
      if (i != 1) continue;
      measured_.back().role = LEVIN_ROLE_TARGET;
      if constexpr (has_classes<Source>::value) measured_.back().classes = Source::classes;
    }
    return measured_;
  }

  std::unique_ptr<Source> source_;
  Held held_[LEVIN_SPLITS];
  std::vector<Field> measured_;
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
