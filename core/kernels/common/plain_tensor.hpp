// What the kernels take: other tensors go to LibTorch's.
#pragma once
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>

#include <atomic>

namespace levin::core {

// False: the kernels take no call.
inline std::atomic<bool> kernels_take_calls{true};

// Numbers for which another thread is worth its start, as in LibTorch.
constexpr int64_t grain_size = 32768;

// Returns true for a tensor in the memory of this process that nothing wraps: no names, no functorch, no lazy negation.
inline bool is_cpu_tensor(const at::Tensor& tensor) {
  return tensor.key_set() - c10::autograd_dispatch_keyset_with_ADInplaceOrView - c10::autocast_dispatch_keyset ==
         c10::DispatchKeySet(c10::DispatchKey::CPU);
}

// Returns true for such a tensor of floats.
inline bool is_cpu_float(const at::Tensor& tensor) {
  return kernels_take_calls.load(std::memory_order_relaxed) && tensor.defined() && is_cpu_tensor(tensor) &&
         tensor.scalar_type() == at::kFloat;
}

// Returns true for a tensor of floats in row-major order in the memory of this process.
inline bool is_plain_float(const at::Tensor& tensor) { return is_cpu_float(tensor) && tensor.is_contiguous(); }

// The same for images with the channels last.
inline bool is_channels_last_float(const at::Tensor& tensor) {
  return is_cpu_float(tensor) && tensor.dim() == 4 && tensor.is_contiguous(at::MemoryFormat::ChannelsLast);
}

// Returns a tensor of floats in row-major order that nothing has written. at::empty() goes through the dispatcher.
inline at::Tensor empty_float(at::IntArrayRef sizes) { return at::detail::empty_cpu(sizes, at::kFloat); }

}  // namespace levin::core
