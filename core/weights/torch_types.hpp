// PyTorch's names of element types and tensors in pickles.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/pickle.hpp"

namespace levin::core {

// Returns the safetensors code for "torch.FloatStorage", "torch.float32" and the like; "" = none.
std::string dtype_of_torch(std::string_view name);

// PyTorch's names of an element type, without their module.
struct TorchType {
  const char *storage, *dtype, *code;  // "FloatStorage" ("" = no such class), "float32", "F32"
};
// Returns the type with this safetensors code, or nullptr if PyTorch has none.
const TorchType* torch_type(std::string_view code);

// A tensor in a pickle: its storage, which is elsewhere in the file, and its place in the storage, as claimed by the
// pickle.
struct PickledTensor {
  std::string storage, dtype;
  std::string storage_type;  // name of an unknown type if dtype is ""
  int64_t offset = 0;
  std::vector<int64_t> shape, strides;
};
// Returns nullopt if the value is not a tensor. Throws std::runtime_error for a tensor with parts that PyTorch does not
// write.
std::optional<PickledTensor> pickled_tensor(const Pickle& pickle, uint32_t value);

}  // namespace levin::core
