// Overrides of a model class: steps of optimization, and the transfer of a batch.
#pragma once
#include <utility>
#include <vector>

#include "levin/torch/model_parts.hpp"
#include "levin/torch/model_rules.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Calls an override that takes an OptimCall.
template <class H, class Name>
levin_status override_call(void* self, const levin_optim_call* call) noexcept {
  return with_object<H>(self, [call](auto& object) {
    object.set_run(call->run);
    const auto member = Name::template address<PartWith<Held<H>, Name>>();
    (part_with<Name>(object).*member)(OptimCall(&object.services(), call));
  });
}
// Calls an override that returns the tensors of a batch, and hands them over to the host.
template <class H, class Name, class... More>
levin_status transfer_call(void* self, const levin_batch* in, levin_tensor** out, uint32_t n, More... more) noexcept {
  return with_object<H>(self, [&](auto& object) {
    const auto member = Name::template address<PartWith<Held<H>, Name>>();
    std::vector<torch::Tensor> tensors = (part_with<Name>(object).*member)(batch_for(object, in), more...);
    if (tensors.size() != n)
      throw Error(LEVIN_E_INVALID, "a batch transfer hook has to return as many tensors as it got");
    for (uint32_t i = 0; i < n; ++i) out[i] = release(std::move(tensors[i]));
  });
}

template <class H>
void set_overrides(levin_model& t) {
  using T = Held<H>;
#define LEVIN_OVERRIDE(member) \
  if constexpr (model_has<T, name_##member>) t.member = &override_call<H, name_##member>;
  LEVIN_OVERRIDE(optimizer_step)
  LEVIN_OVERRIDE(optimizer_zero_grad)
  LEVIN_OVERRIDE(backward)
  LEVIN_OVERRIDE(lr_scheduler_step)
  LEVIN_OVERRIDE(configure_gradient_clipping)
#undef LEVIN_OVERRIDE
  // A network's own zero_grad clears all gradients: a task has one optimizer with all parameters.
  if constexpr (!std::is_same_v<T, Network<T>> && overrides<Network<T>, name_zero_grad>())
    if (!t.optimizer_zero_grad)
      t.optimizer_zero_grad = [](void* self, const levin_optim_call*) noexcept -> levin_status {
        return with_object<H>(self, [](auto& object) { network_of(object).zero_grad(true); });
      };
  if constexpr (model_has<T, name_on_before_batch_transfer>)
    t.on_before_batch_transfer = &transfer_call<H, name_on_before_batch_transfer>;
  if constexpr (model_has<T, name_on_after_batch_transfer>)
    t.on_after_batch_transfer = &transfer_call<H, name_on_after_batch_transfer>;
  if constexpr (model_has<T, name_transfer_batch_to_device>)
    t.transfer_batch_to_device = [](void* self, const levin_batch* in, levin_device d, levin_tensor** out,
                                    uint32_t n) noexcept {
      return transfer_call<H, name_transfer_batch_to_device>(self, in, out, n, to_torch(d));
    };
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
