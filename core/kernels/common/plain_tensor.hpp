// What the kernels take: other tensors go to LibTorch's.
#pragma once
#include <ATen/core/Tensor.h>

namespace levin::core {

// Numbers for which another thread is worth its start, as in LibTorch.
constexpr int64_t grain_size = 32768;

// Returns true for a tensor of floats in row-major order in the memory of this process.
inline bool is_plain_float(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && tensor.device().is_cpu() &&
         tensor.scalar_type() == at::kFloat && tensor.is_contiguous() && !tensor.is_neg();
}

}  // namespace levin::core
