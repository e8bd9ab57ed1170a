#include "core/weights/stored_tensor.hpp"

#include <cstring>

#include "core/checkpoint/container/dtype.hpp"

namespace levin::core {
namespace {

// Copies the elements spanned by the dimensions from `d` on, and returns the place for the next element.
char* copy_from(const StoredTensor& tensor, size_t d, const char* from, char* to, uint64_t element) {
  if (d == tensor.shape.size()) {
    std::memcpy(to, from, element);
    return to + element;
  }
  for (uint64_t i = 0; i < tensor.shape[d]; ++i)
    to = copy_from(tensor, d + 1, from + i * tensor.strides[d] * element, to, element);
  return to;
}

}  // namespace

bool is_dense(const StoredTensor& tensor) {
  uint64_t expected = 1;
  for (size_t d = tensor.shape.size(); d-- > 0;) {
    if (tensor.shape[d] != 1 && tensor.strides[d] != expected) return false;
    expected *= tensor.shape[d];
  }
  return true;
}

void copy_dense(const StoredTensor& tensor, void* to) {
  if (tensor.bytes == 0) return;
  if (is_dense(tensor))
    std::memcpy(to, tensor.data, tensor.bytes);
  else
    copy_from(tensor, 0, tensor.data, static_cast<char*>(to), dtype_bits(tensor.dtype) / 8);
}

std::vector<uint64_t> dense_strides(const std::vector<uint64_t>& shape) {
  std::vector<uint64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * (shape[d] == 0 ? 1 : shape[d]);
  return strides;
}

}  // namespace levin::core
