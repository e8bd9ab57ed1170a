// The steps of a model class: their existence, arguments and results.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "levin/torch/model_parts.hpp"
#include "levin/torch/model_rules.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Passes the result of a step to the host; `first` is the name of the first tensor.
class Emit {
 public:
  Emit(const levin_step_in* in, const levin_step_out* out, const char* first)
      : step_1x_(in->step_1x), out_(out), first_(first) {}
  void operator()(const torch::Tensor& tensor) const {
    if (tensor.defined()) put(first_, tensor);
  }
  void operator()(const Outputs& outputs) const {
    if (outputs.loss.defined()) put(first_, outputs.loss);
    for (const auto& [name, tensor] : outputs.extras) put(name.c_str(), tensor);
    for (const torch::Tensor& hidden : outputs.hiddens)
      if (step_1x_) check(step_1x_->put_hidden(out_, to_handle(hidden)), "hiddens");
  }

 private:
  void put(const char* name, const torch::Tensor& tensor) const {
    check(out_->put(out_, name, to_handle(tensor)), name);
  }
  const levin_step_1x* step_1x_;
  const levin_step_out* out_;
  const char* first_;
};

inline int64_t optimizer_idx(const levin_step_in* in) { return in->step_1x ? in->step_1x->optimizer_idx : -1; }

inline StepInfo step_info(const ModelBase& model, const levin_step_in* in) {
  StepInfo info{static_cast<Stage>(in->stage), in->batch_idx, in->dataloader_idx, optimizer_idx(in), -1, {}, {}};
  for (uint64_t i = 0; i < in->n_batches; ++i) info.batches.push_back(batch_for(model, in->batches[i]));
  if (!in->step_1x) return info;
  info.split_idx = in->step_1x->split_idx;
  for (uint64_t i = 0; i < in->step_1x->n_hiddens; ++i) info.hiddens.push_back(to_torch(in->step_1x->hiddens[i]));
  return info;
}

// Calls emit(object.step(...)) with the arguments of the step's signature. As in Lightning, the second number is
// optimizer_idx in training and dataloader_idx in the other stages.
template <class T, class F>
void run_step(T& object, F step, const levin_step_in* in, const Emit& emit) {
  const Batch batch = batch_for(object, in->batch);
  auto call = [&](const auto&... more) {
    if constexpr (std::is_void_v<std::invoke_result_t<F, T&, const Batch&, decltype(more)...>>)
      (object.*step)(batch, more...);
    else
      emit((object.*step)(batch, more...));
  };
  if constexpr (std::is_invocable_v<F, T&, const Batch&, int64_t>)
    call(in->batch_idx);
  else if constexpr (std::is_invocable_v<F, T&, const Batch&, int64_t, int64_t>)
    call(in->batch_idx, in->stage == LEVIN_STAGE_FIT ? optimizer_idx(in) : in->dataloader_idx);
  else if constexpr (std::is_invocable_v<F, T&, const Batch&, const StepInfo&>)
    call(step_info(object, in));
  else
    call();
}

template <class Name, class T>
levin_status step_called(T& object, [[maybe_unused]] const char* name, [[maybe_unused]] const levin_step_in* in,
                         [[maybe_unused]] const Emit& emit) {
  if constexpr (model_has<T, Name>) {
    run_step(part_with<Name>(object), Name::template address<PartWith<T, Name>>(), in, emit);
    return LEVIN_OK;
  } else {
    const std::string missing = std::string("the model has no ") + name;
    return object.host()->fail(object.host(), LEVIN_E_UNSUPPORTED, missing.c_str());
  }
}

template <class H>
levin_status step_model(void* self, const levin_step_in* in, const levin_step_out* out) noexcept {
  return with_object<H>(self, [&](auto& object) {
    object.set_run(in->run);
    const Emit emit(in, out, in->stage == LEVIN_STAGE_PREDICT ? "prediction" : "loss");
    switch (in->stage) {
      case LEVIN_STAGE_FIT:
        return step_called<name_training_step>(object, "training_step", in, emit);
      case LEVIN_STAGE_SANITY:
      case LEVIN_STAGE_VALIDATE:
        return step_called<name_validation_step>(object, "validation_step", in, emit);
      case LEVIN_STAGE_TEST:
        return step_called<name_test_step>(object, "test_step", in, emit);
      default:
        return step_called<name_predict_step>(object, "predict_step", in, emit);
    }
  });
}

// Returns which steps a class has, as the bits of levin_model.steps.
template <class T>
constexpr uint32_t steps_of() {
  return (model_has<T, name_training_step> ? 1u << LEVIN_STAGE_FIT : 0) |
         (model_has<T, name_validation_step> ? 1u << LEVIN_STAGE_VALIDATE : 0) |
         (model_has<T, name_test_step> ? 1u << LEVIN_STAGE_TEST : 0) |
         (model_has<T, name_predict_step> ? 1u << LEVIN_STAGE_PREDICT : 0);
}

// Returns true if training_step takes optimizer_idx: the flag LEVIN_F_OPTIMIZER_IDX.
template <class T>
constexpr bool looks_at_optimizer_idx() {
  if constexpr (model_has<T, name_training_step>) {
    using Part = PartWith<T, name_training_step>;
    using F = decltype(&Part::training_step);
    return std::is_invocable_v<F, Part&, const Batch&, int64_t, int64_t> ||
           std::is_invocable_v<F, Part&, const Batch&, const StepInfo&>;
  }
  return false;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
