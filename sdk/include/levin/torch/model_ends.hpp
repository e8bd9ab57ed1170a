// training_step_end, training_epoch_end and the same for the other stages.
#pragma once
#include <cstring>
#include <vector>

#include "levin/torch/model_step.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

inline Outputs outputs_of(const levin_named* named, uint64_t n) {
  Outputs out;
  for (uint64_t i = 0; i < n; ++i) {
    if (std::strcmp(named[i].name, "loss") == 0)
      out.loss = to_torch(named[i].tensor);
    else
      out.extras.emplace_back(named[i].name, to_torch(named[i].tensor));
  }
  return out;
}

template <class Name, class T>
void run_step_end(T& object, [[maybe_unused]] const Outputs& outputs, [[maybe_unused]] const Emit& emit) {
  if constexpr (model_has<T, Name>) {
    auto& part = part_with<Name>(object);
    const auto member = Name::template address<PartWith<T, Name>>();
    if constexpr (std::is_void_v<decltype((part.*member)(outputs))>)
      (part.*member)(outputs);
    else
      emit((part.*member)(outputs));
  }
}

template <class Name, class T>
void run_epoch_end(T& object, [[maybe_unused]] const std::vector<Outputs>& outputs) {
  if constexpr (model_has<T, Name>) (part_with<Name>(object).*Name::template address<PartWith<T, Name>>())(outputs);
}

template <class H>
levin_status step_end_model(void* self, const levin_step_in* in, const levin_named* named, uint64_t n,
                            const levin_step_out* out) noexcept {
  return with_object<H>(self, [&](auto& object) {
    object.set_run(in->run);
    const Emit emit(out, "loss");
    const Outputs outputs = outputs_of(named, n);
    if (in->stage == LEVIN_STAGE_FIT) {
      run_step_end<name_training_step_end>(object, outputs, emit);
    } else if (in->stage == LEVIN_STAGE_TEST) {
      run_step_end<name_test_step_end>(object, outputs, emit);
    } else {
      run_step_end<name_validation_step_end>(object, outputs, emit);
    }
  });
}

template <class H>
levin_status epoch_end_model(void* self, const levin_epoch_outputs* in) noexcept {
  return with_object<H>(self, [in](auto& object) {
    object.set_run(in->run);
    std::vector<Outputs> outputs;
    for (uint64_t i = 0; i < in->n; ++i) outputs.push_back(outputs_of(in->outputs[i], in->n_outputs[i]));
    if (in->stage == LEVIN_STAGE_FIT) {
      run_epoch_end<name_training_epoch_end>(object, outputs);
    } else if (in->stage == LEVIN_STAGE_TEST) {
      run_epoch_end<name_test_epoch_end>(object, outputs);
    } else {
      run_epoch_end<name_validation_epoch_end>(object, outputs);
    }
  });
}

// Returns which step_end and epoch_end members a class has, as the bits of levin_model.ends.
template <class T>
constexpr uint32_t ends_of() {
  constexpr uint32_t val = 1u << LEVIN_STAGE_VALIDATE | 1u << LEVIN_STAGE_SANITY;
  return (model_has<T, name_training_step_end> ? 1u << LEVIN_STAGE_FIT : 0) |
         (model_has<T, name_validation_step_end> ? val : 0) |
         (model_has<T, name_test_step_end> ? 1u << LEVIN_STAGE_TEST : 0) |
         (model_has<T, name_training_epoch_end> ? 256u << LEVIN_STAGE_FIT : 0) |
         (model_has<T, name_validation_epoch_end> ? val << 8 : 0) |
         (model_has<T, name_test_epoch_end> ? 256u << LEVIN_STAGE_TEST : 0);
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
