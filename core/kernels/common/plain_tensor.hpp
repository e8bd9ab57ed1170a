// What the kernels take: other tensors go to LibTorch's.
#pragma once
#include <ATen/core/Tensor.h>

#include <atomic>

namespace levin::core {

// False: the kernels take no call.
inline std::atomic<bool> kernels_take_calls{true};

// Numbers for which another thread is worth its start, as in LibTorch.
constexpr int64_t grain_size = 32768;

// Returns true for a tensor of floats in the memory of this process.
inline bool is_cpu_float(const at::Tensor& tensor) {
  return kernels_take_calls.load(std::memory_order_relaxed) && tensor.defined() && tensor.layout() == at::kStrided &&
         tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat && !tensor.is_neg();
}

// Returns true for a tensor of floats in row-major order in the memory of this process.
inline bool is_plain_float(const at::Tensor& tensor) { return is_cpu_float(tensor) && tensor.is_contiguous(); }

// The same for images with the channels last.
inline bool is_channels_last_float(const at::Tensor& tensor) {
  return is_cpu_float(tensor) && tensor.dim() == 4 && tensor.is_contiguous(at::MemoryFormat::ChannelsLast);
}

}  // namespace levin::core
