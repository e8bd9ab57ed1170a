// A tensor in a file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace levin::core {

struct StoredTensor {
  std::string dtype;  // safetensors code: "F32", "BF16", ...
  std::vector<uint64_t> shape;
  std::vector<uint64_t> strides;  // in elements; every element lies within the file
  const char* data = nullptr;     // the first element, little-endian; valid as long as the file's reader
  uint64_t bytes = 0;             // size of the dense tensor
};

// Returns true if the elements are in row-major order without gaps.
bool is_dense(const StoredTensor& tensor);
// Copies the tensor's bytes in row-major order.
void copy_dense(const StoredTensor& tensor, void* to);
// Returns the strides of a dense tensor of this shape.
std::vector<uint64_t> dense_strides(const std::vector<uint64_t>& shape);

}  // namespace levin::core
