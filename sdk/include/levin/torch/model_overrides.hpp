// What a model class may do in the place of the trainer: steps of optimization, and the transfer of a batch.
#pragma once
#include <utility>
#include <vector>

#include "levin/torch/model_rules.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Calls an override that takes an OptimCall.
template <class H, class F>
levin_status override_call(void* self, const levin_optim_call* call, F member) noexcept {
  return with_object<H>(self, [call, member](auto& object) {
    object.set_run(call->run);
    (object.*member)(OptimCall(&object.services(), call));
  });
}
// Calls an override that returns the tensors of a batch, and hands them to the host.
template <class H, class F>
levin_status transfer_call(void* self, const levin_batch* in, levin_tensor** out, uint32_t n, F call) noexcept {
  return with_object<H>(self, [&](auto& object) {
    std::vector<torch::Tensor> tensors = call(object, batch_for(object, in));
    if (tensors.size() != n)
      throw Error(LEVIN_E_INVALID, "a batch transfer hook has to return as many tensors as it got");
    for (uint32_t i = 0; i < n; ++i) out[i] = release(std::move(tensors[i]));
  });
}

template <class H>
void set_overrides(levin_model& t) {
  using T = decltype(H::object);
#define LEVIN_OVERRIDE(member)                                                         \
  if constexpr (has_##member<T>::value)                                                \
    t.member = [](void* self, const levin_optim_call* call) noexcept -> levin_status { \
      return override_call<H>(self, call, &T::member);                                 \
    };
  LEVIN_OVERRIDE(optimizer_step)
  LEVIN_OVERRIDE(optimizer_zero_grad)
  LEVIN_OVERRIDE(backward)
  LEVIN_OVERRIDE(lr_scheduler_step)
  LEVIN_OVERRIDE(configure_gradient_clipping)
#undef LEVIN_OVERRIDE
  if constexpr (has_on_before_batch_transfer<T>::value)
    t.on_before_batch_transfer = [](void* self, const levin_batch* in, levin_tensor** out, uint32_t n) noexcept {
      return transfer_call<H>(self, in, out, n, [](T& o, const Batch& b) { return o.on_before_batch_transfer(b); });
    };
  if constexpr (has_on_after_batch_transfer<T>::value)
    t.on_after_batch_transfer = [](void* self, const levin_batch* in, levin_tensor** out, uint32_t n) noexcept {
      return transfer_call<H>(self, in, out, n, [](T& o, const Batch& b) { return o.on_after_batch_transfer(b); });
    };
  if constexpr (has_transfer_batch_to_device<T>::value)
    t.transfer_batch_to_device = [](void* self, const levin_batch* in, levin_device d, levin_tensor** out,
                                    uint32_t n) noexcept {
      return transfer_call<H>(self, in, out, n,
                              [d](T& o, const Batch& b) { return o.transfer_batch_to_device(b, to_torch(d)); });
    };
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
