// Takes over tensors from a data module after checking them against its described fields.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "core/abi/tensor_handle.hpp"
#include "core/data/source/loader_place.hpp"

namespace levin::core {

// The levin_managed of one loader that the host holds. Thread-safe.
class HeldTensors {
 public:
  bool add(const levin_managed* tensor);  // returns false if it is already held
  void remove(const levin_managed* tensor);

 private:
  std::mutex mutex_;
  std::unordered_set<const levin_managed*> held_;
};

// Validates the tensors that batch, next and resident of one loader return. Thread-safe.
class RowValidation {
 public:
  static constexpr uint32_t capacity = 64;

  RowValidation(LoaderPlace place, const char* call) : place_(place), call_(call) {}
  // Takes over the n tensors, one per field, of `rows` rows; -1 = any number, at least one. Throws Error{plugin} that
  // gives the expected and the actual tensor; all tensors are then given back to the plugin.
  std::vector<at::Tensor> take(levin_managed* const* tensors, uint32_t n, int64_t rows) const;
  // Gives unused tensors back to the plugin.
  void discard(levin_managed* const* tensors, uint32_t n) const;

 private:
  TensorMaker maker() const;
  void check(levin_managed* const* tensors, uint32_t n, int64_t rows) const;

  LoaderPlace place_;
  const char* call_;
  std::shared_ptr<HeldTensors> held_ = std::make_shared<HeldTensors>();
};

}  // namespace levin::core
