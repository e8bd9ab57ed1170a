// Tensors of the torch tier, where a levin_tensor* is a c10::TensorImpl*.
#pragma once
#include <ATen/core/Tensor.h>

#include "levin/detail/plugin.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Returns a new reference to a borrowed tensor; undefined for nullptr.
inline at::Tensor to_torch(levin_tensor* borrowed) {
  if (!borrowed) return {};
  using Pointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  return at::Tensor(Pointer::reclaim_copy(reinterpret_cast<c10::TensorImpl*>(borrowed)));
}
// Returns a borrowed handle, valid as long as the tensor; nullptr for an undefined tensor.
inline levin_tensor* to_handle(const at::Tensor& tensor) {
  return tensor.defined() ? reinterpret_cast<levin_tensor*>(tensor.unsafeGetTensorImpl()) : nullptr;
}
// Returns a handle that owns one reference, for out-parameters; nullptr for an undefined tensor.
inline levin_tensor* release(at::Tensor tensor) {
  return tensor.defined() ? reinterpret_cast<levin_tensor*>(tensor.unsafeReleaseIntrusivePtr().release()) : nullptr;
}

// Throws Error (LEVIN_E_UNSUPPORTED) for a type that LibTorch does not have.
inline at::ScalarType to_torch(levin_dtype dtype) {
  const uint32_t key = dtype.code * 256u + dtype.bits;
  switch (key) {
    case LEVIN_FLOAT * 256u + 16:
      return at::kHalf;
    case LEVIN_FLOAT * 256u + 32:
      return at::kFloat;
    case LEVIN_FLOAT * 256u + 64:
      return at::kDouble;
    case LEVIN_BFLOAT * 256u + 16:
      return at::kBFloat16;
    case LEVIN_INT * 256u + 8:
      return at::kChar;
    case LEVIN_INT * 256u + 16:
      return at::kShort;
    case LEVIN_INT * 256u + 32:
      return at::kInt;
    case LEVIN_INT * 256u + 64:
      return at::kLong;
    case LEVIN_UINT * 256u + 8:
      return at::kByte;
    case LEVIN_BOOL * 256u + 8:
      return at::kBool;
    default:
      throw Error(LEVIN_E_UNSUPPORTED, "LibTorch has no such element type");
  }
}
inline at::Device to_torch(levin_device device) {
  return device.type == LEVIN_CUDA ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.id))
                                   : at::Device(at::kCPU);
}

// Throws Error (LEVIN_E_UNSUPPORTED) for a type that plugins do not exchange.
inline levin_dtype to_dtype(at::ScalarType type) {
  for (const levin_dtype dtype : {levin_dtype{LEVIN_FLOAT, 32, 1},
                                  {LEVIN_FLOAT, 64, 1},
                                  {LEVIN_FLOAT, 16, 1},
                                  {LEVIN_BFLOAT, 16, 1},
                                  {LEVIN_UINT, 8, 1},
                                  {LEVIN_INT, 8, 1},
                                  {LEVIN_INT, 16, 1},
                                  {LEVIN_INT, 32, 1},
                                  {LEVIN_INT, 64, 1},
                                  {LEVIN_BOOL, 8, 1}})
    if (to_torch(dtype) == type) return dtype;
  throw Error(LEVIN_E_UNSUPPORTED, std::string("plugins do not exchange tensors of ") + c10::toString(type));
}
// Returns a view of a tensor, for example for Media::view. Valid as long as the tensor exists and keeps its shape.
inline levin_view view_of(const at::Tensor& tensor) {
  levin_view view{};
  view.data = tensor.data_ptr();
  view.device = {LEVIN_CPU, 0};
  if (tensor.is_cuda()) view.device = {LEVIN_CUDA, static_cast<int32_t>(tensor.get_device())};
  view.ndim = static_cast<int32_t>(tensor.dim());
  view.dtype = to_dtype(tensor.scalar_type());
  view.shape = const_cast<int64_t*>(tensor.sizes().data());
  view.strides = const_cast<int64_t*>(tensor.strides().data());
  return view;
}

namespace detail {
inline const levin_torch_abi* torch_abi() {
  static const levin_torch_abi abi = {sizeof(levin_torch_abi),
                                      TORCH_VERSION_MAJOR * 1000000 + TORCH_VERSION_MINOR * 1000};
  return &abi;
}
}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
