// levin::HostTensor: a look at the elements of a tensor on any device.
#pragma once
#include "levin/run.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// The tensor on the CPU, copied there if it lives elsewhere, which waits for its device. It holds a reference of its
// own, so view and data are valid while this object lives. Throws Error if the host cannot copy the tensor.
class HostTensor {
 public:
  HostTensor(const Run& run, levin_tensor* tensor) : host_(run.host()) {
    detail::check(run.devices().to(host_, tensor, {LEVIN_CPU, 0}, &tensor_), "a tensor cannot be copied to the CPU");
    const levin_status status = host_->tensor_view(host_, tensor_, &view_);
    if (status < 0) host_->tensor_release(host_, tensor_);
    detail::check(status, "a tensor has no view");
  }
  HostTensor(const HostTensor&) = delete;
  HostTensor& operator=(const HostTensor&) = delete;
  ~HostTensor() { host_->tensor_release(host_, tensor_); }

  const levin_view& view() const { return view_; }
  // The first element; the type is view().dtype, and view().strides are in elements.
  const void* data() const { return static_cast<const char*>(view_.data) + view_.byte_offset; }
  int64_t elements() const {
    int64_t n = 1;
    for (int32_t d = 0; d < view_.ndim; ++d) n *= view_.shape[d];
    return n;
  }

 private:
  const levin_host* host_;
  levin_tensor* tensor_ = nullptr;
  levin_view view_{};
};

}  // namespace levin
#pragma GCC visibility pop
