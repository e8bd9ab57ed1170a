// What only models of Lightning 1.x have: training_step_end, training_epoch_end and the like, and tbptt_split_batch.
#pragma once
#include <cstring>
#include <vector>

#include "levin/torch/model_step.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

inline Outputs outputs_of(const levin_outputs& from) {
  Outputs out;
  for (uint64_t i = 0; i < from.n_outputs; ++i) {
    const levin_named* named = LEVIN_AT(levin_named, from.outputs, from.output_size, i);
    if (std::strcmp(named->name, "loss") == 0)
      out.loss = to_torch(named->tensor);
    else
      out.extras.emplace_back(named->name, to_torch(named->tensor));
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
levin_status step_end_model(void* self, const levin_step_in* in, const levin_outputs* given,
                            const levin_step_out* out) noexcept {
  return with_object<H>(self, [&](auto& object) {
    object.set_run(in->run);
    const Emit emit(in, out, "loss");
    const Outputs outputs = outputs_of(*given);
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
    for (uint64_t i = 0; i < in->n_steps; ++i) outputs.push_back(outputs_of(*in->steps[i]));
    if (in->stage == LEVIN_STAGE_FIT) {
      run_epoch_end<name_training_epoch_end>(object, outputs);
    } else if (in->stage == LEVIN_STAGE_TEST) {
      run_epoch_end<name_test_epoch_end>(object, outputs);
    } else {
      run_epoch_end<name_validation_epoch_end>(object, outputs);
    }
  });
}

template <class H>
levin_status tbptt_split_model(void* self, const levin_batch* batch, int64_t size,
                               const levin_split_out* out) noexcept {
  return with_object<H>(self, [=](auto& object) {
    auto& part = part_with<name_tbptt_split_batch>(object);
    for (const std::vector<torch::Tensor>& split : part.tbptt_split_batch(batch_for(object, batch), size)) {
      std::vector<levin_tensor*> handles;
      for (const torch::Tensor& tensor : split) handles.push_back(to_handle(tensor));
      check(out->add(out, handles.data(), static_cast<uint32_t>(handles.size())), "tbptt_split_batch");
    }
  });
}

// Returns which step_end and epoch_end members a class has, as levin_model_1x.ends.
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

// The extension levin.model_1x/1, or nullptr if the class has none of its members.
template <class H>
const levin_model_1x* model_1x() {
  using T = Held<H>;
  constexpr bool splits = model_has<T, name_tbptt_split_batch>;
  static const levin_model_1x table = [] {
    levin_model_1x t{sizeof(levin_model_1x), ends_of<T>(), &step_end_model<H>, &epoch_end_model<H>, nullptr};
    if constexpr (splits) t.tbptt_split_batch = &tbptt_split_model<H>;
    return t;
  }();
  return ends_of<T>() != 0 || splits ? &table : nullptr;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
