// A fake host whose tensors are LibTorch tensors.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

#include <cstring>
#include <string>
#include <vector>

#include "levin/testing.hpp"
#include "levin/torch/tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

namespace detail {

inline levin_dtype dtype_of(at::ScalarType type) {
  constexpr levin_dtype known[] = {
      {LEVIN_FLOAT, 32, 1}, {LEVIN_FLOAT, 64, 1}, {LEVIN_FLOAT, 16, 1}, {LEVIN_BFLOAT, 16, 1}, {LEVIN_INT, 64, 1},
      {LEVIN_INT, 32, 1},   {LEVIN_INT, 16, 1},   {LEVIN_INT, 8, 1},    {LEVIN_UINT, 8, 1},    {LEVIN_BOOL, 8, 1}};
  for (const levin_dtype dtype : known)
    if (to_torch(dtype) == type) return dtype;
  throw Error(LEVIN_E_UNSUPPORTED, std::string("plugins have no element type like ") + c10::toString(type));
}

inline at::Tensor copy_of(const levin_view& view) {
  const auto options = at::TensorOptions().dtype(to_torch(view.dtype));
  const at::IntArrayRef shape(view.shape, static_cast<size_t>(view.ndim));
  void* data = static_cast<char*>(view.data) + view.byte_offset;
  if (!view.strides) return at::from_blob(data, shape, options).clone();
  return at::from_blob(data, shape, at::IntArrayRef(view.strides, shape.size()), options).clone();
}

inline levin_status view_of(const levin_host*, levin_tensor* handle, levin_view* out) {
  const at::Tensor tensor = to_torch(handle);
  *out = {tensor.data_ptr(),
          {LEVIN_CPU, 0},
          static_cast<int32_t>(tensor.dim()),
          dtype_of(tensor.scalar_type()),
          const_cast<int64_t*>(tensor.sizes().data()),
          const_cast<int64_t*>(tensor.strides().data()),
          0};
  return LEVIN_OK;
}

inline std::vector<double> torch_elements(levin_tensor* handle) {
  const at::Tensor values = to_torch(handle).detach().to(at::kDouble).contiguous().cpu();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

// Backward is real, for models with manual optimization. Steps are only recorded.
inline const levin_optim& torch_optim() {
  static const levin_optim table = [] {
    levin_optim t = optim();
    t.backward = [](levin_run* run, levin_tensor* loss, int32_t retain_graph) -> levin_status {
      call(run, "backward", 0);
      to_torch(loss).backward({}, retain_graph != 0);
      return LEVIN_OK;
    };
    return t;
  }();
  return table;
}

}  // namespace detail

// Does not offer levin.params/1 and levin.run_data/1.
class TorchHost : public FakeHost {
 public:
  TorchHost() {
    elements = &detail::torch_elements;
    host_.service = [](const levin_host* host, const char* id) -> const void* {
      if (std::strcmp(id, "levin.torch/1") == 0) return host;
      if (std::strcmp(id, "levin.params/1") == 0 || std::strcmp(id, "levin.run_data/1") == 0) return nullptr;
      return std::strcmp(id, "levin.optim/1") == 0 ? &detail::torch_optim() : FakeHost::service(host, id);
    };
    host_.tensor_retain = [](const levin_host*, levin_tensor* t) { release(to_torch(t)); };
    host_.tensor_release = [](const levin_host*, levin_tensor* t) { own(t); };
    host_.tensor_view = &detail::view_of;
    host_.tensor_from_view = [](const levin_host*, const levin_view* view, levin_tensor** out) -> levin_status {
      *out = release(detail::copy_of(*view));
      return LEVIN_OK;
    };
    host_.tensor_from_managed = [](const levin_host*, levin_managed* managed, levin_tensor** out) -> levin_status {
      *out = release(detail::copy_of(managed->view));
      if (managed->deleter) managed->deleter(managed);
      return LEVIN_OK;
    };
    host_.tensor_item = [](const levin_host*, levin_tensor* t, double* out) -> levin_status {
      if (to_torch(t).numel() != 1) return LEVIN_E_INVALID;
      *out = detail::torch_elements(t)[0];
      return LEVIN_OK;
    };
  }

  // Returns the tensor and takes over the reference of the handle.
  static at::Tensor own(levin_tensor* handle) {
    using Pointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
    return at::Tensor(Pointer::reclaim(reinterpret_cast<c10::TensorImpl*>(handle)));
  }
};

}  // namespace levin::testing
#pragma GCC visibility pop
