// Conversions between at::Tensor and levin_tensor*, which is a c10::TensorImpl*.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

#include "core/abi/border_watch.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

using TensorPointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

[[noreturn]] void refuse_null_handle();  // throws Error{usage}
// Adds a reference to a borrowed tensor.
inline at::Tensor retain(levin_tensor* handle) {
  if (!handle) refuse_null_handle();
  if (BorderWatch* watch = border_watch()) watch->used(handle);
  return at::Tensor(TensorPointer::reclaim_copy(reinterpret_cast<c10::TensorImpl*>(handle)));
}
// Takes ownership of a reference that came through an out-parameter.
inline at::Tensor own(levin_tensor* handle) {
  if (BorderWatch* watch = border_watch()) watch->handed_back(handle);
  return at::Tensor(TensorPointer::reclaim(reinterpret_cast<c10::TensorImpl*>(handle)));
}
inline levin_tensor* borrow(const at::Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  auto* handle = reinterpret_cast<levin_tensor*>(tensor.unsafeGetTensorImpl());
  if (BorderWatch* watch = border_watch()) watch->lent(handle);
  return handle;
}
inline levin_tensor* release(at::Tensor tensor) {
  if (!tensor.defined()) return nullptr;
  auto* handle = reinterpret_cast<levin_tensor*>(tensor.unsafeReleaseIntrusivePtr().release());
  if (BorderWatch* watch = border_watch()) watch->handed_over(handle);
  return handle;
}

// Both throw Error{data} for an element type without a counterpart.
at::ScalarType scalar_type(levin_dtype dtype);
levin_dtype dtype_of(at::ScalarType type);
std::string dtype_text(levin_dtype dtype);  // "float32"; code, bits and lanes of an unknown type
levin_device device_of(at::Device device);
at::Device device_of(levin_device device);

// Returns a view that borrows the tensor's memory, shape and strides.
levin_view view_of(const at::Tensor& tensor);
at::Tensor copy_of(const levin_view& view);

// The plugin and the component that made a tensor, for the report of a crash in its deleter.
struct TensorMaker {
  std::string plugin, instance;  // instance "" = the plugin itself
};
// Calls the deleter, if any, with a breadcrumb that names the maker.
void delete_managed(levin_managed* managed, const TensorMaker& maker) noexcept;
// Takes ownership of the managed tensor. When its last reference is released, calls `released` and then the deleter.
at::Tensor adopt(levin_managed* managed, TensorMaker maker, std::function<void()> released = nullptr);

}  // namespace levin::core
