// Converts tensors of LibTorch to the tensors that a data module hands over to the host.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "levin/detail/managed.hpp"
#include "levin/torch/tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Throws Error for a type that a field cannot have.
inline levin_dtype to_levin(at::ScalarType type) {
  constexpr levin_dtype all[] = {
      {LEVIN_FLOAT, 32, 1}, {LEVIN_FLOAT, 64, 1}, {LEVIN_FLOAT, 16, 1}, {LEVIN_BFLOAT, 16, 1}, {LEVIN_INT, 64, 1},
      {LEVIN_INT, 32, 1},   {LEVIN_INT, 16, 1},   {LEVIN_INT, 8, 1},    {LEVIN_UINT, 8, 1},    {LEVIN_BOOL, 8, 1}};
  for (const levin_dtype& dtype : all)
    if (to_torch(dtype) == type) return dtype;
  throw Error(LEVIN_E_UNSUPPORTED, std::string("no field of a row is of the type ") + c10::toString(type));
}

struct ManagedTensor {
  levin_managed head{};
  at::Tensor tensor;
};

}  // namespace detail

// Returns one field of a batch. It shares the memory of a tensor on the CPU, and copies a tensor on another device. The
// caller owns the result and must call its deleter once. For tensors that a data module hands over, the host calls it,
// on any thread.
inline levin_managed* managed(const at::Tensor& tensor) {
  const levin_dtype dtype = detail::to_levin(tensor.scalar_type());
  auto* made = new detail::ManagedTensor{{}, tensor.detach().cpu()};
  const at::Tensor& t = made->tensor;
  made->head.major = 1;  // version of DLPack, whose layout this is
  made->head.ctx = made;
  made->head.deleter = [](levin_managed* self) { delete static_cast<detail::ManagedTensor*>(self->ctx); };
  made->head.view.data = t.data_ptr();
  made->head.view.device = {LEVIN_CPU, 0};
  made->head.view.ndim = static_cast<int32_t>(t.dim());
  made->head.view.dtype = dtype;
  made->head.view.shape = const_cast<int64_t*>(t.sizes().data());
  made->head.view.strides = const_cast<int64_t*>(t.strides().data());
  return &made->head;
}

}  // namespace levin
#pragma GCC visibility pop
