// training_step_end, training_epoch_end and their like.
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

template <class T, class F>
void run_step_end(T& object, F member, const Outputs& outputs, const Emit& emit) {
  if constexpr (std::is_void_v<std::invoke_result_t<F, T&, const Outputs&>>)
    (object.*member)(outputs);
  else
    emit((object.*member)(outputs));
}

template <class H>
levin_status step_end_model(void* self, const levin_step_in* in, const levin_named* named, uint64_t n,
                            const levin_step_out* out) noexcept {
  using T = decltype(H::object);
  return with_object<H>(self, [&](T& object) {
    object.set_run(in->run);
    [[maybe_unused]] const Emit emit(out, "loss");
    [[maybe_unused]] const Outputs outputs = outputs_of(named, n);
    if (in->stage == LEVIN_STAGE_FIT) {
      if constexpr (has_training_step_end<T>::value) run_step_end(object, &T::training_step_end, outputs, emit);
    } else if (in->stage == LEVIN_STAGE_TEST) {
      if constexpr (has_test_step_end<T>::value) run_step_end(object, &T::test_step_end, outputs, emit);
    } else {
      if constexpr (has_validation_step_end<T>::value) run_step_end(object, &T::validation_step_end, outputs, emit);
    }
  });
}

template <class H>
levin_status epoch_end_model(void* self, const levin_epoch_outputs* in) noexcept {
  using T = decltype(H::object);
  return with_object<H>(self, [in](T& object) {
    object.set_run(in->run);
    std::vector<Outputs> outputs;
    for (uint64_t i = 0; i < in->n; ++i) outputs.push_back(outputs_of(in->outputs[i], in->n_outputs[i]));
    if (in->stage == LEVIN_STAGE_FIT) {
      if constexpr (has_training_epoch_end<T>::value) object.training_epoch_end(outputs);
    } else if (in->stage == LEVIN_STAGE_TEST) {
      if constexpr (has_test_epoch_end<T>::value) object.test_epoch_end(outputs);
    } else {
      if constexpr (has_validation_epoch_end<T>::value) object.validation_epoch_end(outputs);
    }
  });
}

// Which of step_end and epoch_end a class has, as the bits of levin_model.ends.
template <class T>
constexpr uint32_t ends_of() {
  constexpr uint32_t val = 1u << LEVIN_STAGE_VALIDATE | 1u << LEVIN_STAGE_SANITY;
  return (has_training_step_end<T>::value ? 1u << LEVIN_STAGE_FIT : 0) | (has_validation_step_end<T>::value ? val : 0) |
         (has_test_step_end<T>::value ? 1u << LEVIN_STAGE_TEST : 0) |
         (has_training_epoch_end<T>::value ? 256u << LEVIN_STAGE_FIT : 0) |
         (has_validation_epoch_end<T>::value ? val << 8 : 0) |
         (has_test_epoch_end<T>::value ? 256u << LEVIN_STAGE_TEST : 0);
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
