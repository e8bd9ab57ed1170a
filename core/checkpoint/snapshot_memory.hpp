// Memory that the tensors of a checkpoint are copied into, so that training can go on while they are written.
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

  // Replaces the tensors by dense copies on the CPU, with the threads of LibTorch. The copies live until the next call.
  // Throws std::bad_alloc if there is no memory; then the tensors are what they were.
  void copy(const std::vector<at::Tensor*>& tensors);
  void release();  // gives the memory back; copies must not be used any more

 private:
  void reserve(size_t bytes);
  char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace levin::core
