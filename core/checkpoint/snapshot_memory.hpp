// Memory for copies of a checkpoint's tensors, so that training can continue while they are written.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

namespace levin::core {

class SnapshotMemory {
 public:
  SnapshotMemory() = default;
  ~SnapshotMemory() { release(); }
  SnapshotMemory(const SnapshotMemory&) = delete;
  SnapshotMemory& operator=(const SnapshotMemory&) = delete;

  // Replaces the tensors by dense copies on the CPU, made by LibTorch's threads. The copies are valid until the next
  // call. Throws std::bad_alloc if there is no memory; then the tensors are unchanged.
  void copy(const std::vector<at::Tensor*>& tensors);
  void release();  // frees the memory; the copies become invalid

 private:
  void reserve(size_t bytes);
  char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace levin::core
