// The names that PyTorch gives element types and tensors in pickles.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/pickle.hpp"

namespace levin::core {

// The code of safetensors for "torch.FloatStorage", "torch.float32" and the like; "" if there is none.
std::string dtype_of_torch(std::string_view name);

// An element type by the names of PyTorch, both without their module.
struct TorchType {
  const char *storage, *dtype, *code;  // "FloatStorage", or "" if there is no such class; "float32"; "F32"
};
// The type of a code of safetensors, or nullptr if PyTorch has none.
const TorchType* torch_type(std::string_view code);

// A tensor of a pickle: its storage, which is elsewhere, and its place in it, as the pickle claims.
struct PickledTensor {
  std::string storage, dtype;
  std::string storage_type;  // the name of an unknown type, where dtype is ""
  int64_t offset = 0;
  std::vector<int64_t> shape, strides;
};
// nullopt: the value is no tensor. Throws std::runtime_error for one whose parts are not what PyTorch writes.
std::optional<PickledTensor> pickled_tensor(const Pickle& pickle, uint32_t value);

}  // namespace levin::core
