// Takes tensors over from a data module, after holding them against the fields that it described.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "core/abi/tensor_handle.hpp"
#include "core/data/source/loader_place.hpp"

namespace levin::core {

// The levin_managed that the host holds of one loader. Any thread may use it.
class HeldTensors {
 public:
  bool add(const levin_managed* tensor);  // false: it is held already
  void remove(const levin_managed* tensor);

 private:
  std::mutex mutex_;
  std::unordered_set<const levin_managed*> held_;
};

// What batch, next and resident of one loader hand over. Any thread may use it.
class RowValidation {
 public:
  static constexpr uint32_t capacity = 64;

  RowValidation(LoaderPlace place, const char* call) : place_(place), call_(call) {}
  // Takes over the n tensors, one for each field, of `rows` rows; -1: of any number of rows, and at least one. Throws
  // Error{plugin} that says what was wanted and what came; each tensor is then given back to the plugin.
  std::vector<at::Tensor> take(levin_managed* const* tensors, uint32_t n, int64_t rows) const;
  // Gives tensors back that nobody wants.
  void discard(levin_managed* const* tensors, uint32_t n) const;

 private:
  TensorMaker maker() const;
  void check(levin_managed* const* tensors, uint32_t n, int64_t rows) const;

  LoaderPlace place_;
  const char* call_;
  std::shared_ptr<HeldTensors> held_ = std::make_shared<HeldTensors>();
};

}  // namespace levin::core
