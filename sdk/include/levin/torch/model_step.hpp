// The steps of a model class: which it has, the arguments that each takes, and what it returns.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "levin/torch/model_rules.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Hands what a step returned to the host; `first` is the name of the first tensor.
class Emit {
 public:
  Emit(const levin_step_out* out, const char* first) : out_(out), first_(first) {}
  void operator()(const torch::Tensor& tensor) const {
    if (tensor.defined()) put(first_, tensor);
  }
  void operator()(const Outputs& outputs) const {
    if (outputs.loss.defined()) put(first_, outputs.loss);
    for (const auto& [name, tensor] : outputs.extras) put(name.c_str(), tensor);
    for (const torch::Tensor& hidden : outputs.hiddens) check(out_->put_hidden(out_, to_handle(hidden)), "hiddens");
  }

 private:
  void put(const char* name, const torch::Tensor& tensor) const {
    check(out_->put(out_, name, to_handle(tensor)), name);
  }
  const levin_step_out* out_;
  const char* first_;
};

inline StepInfo step_info(const ModelBase& model, const levin_step_in* in) {
  StepInfo info{
      static_cast<Stage>(in->stage), in->batch_idx, in->dataloader_idx, in->optimizer_idx, in->split_idx, {}, {}};
  for (uint64_t i = 0; i < in->n_batches; ++i) info.batches.push_back(batch_for(model, in->batches[i]));
  for (uint64_t i = 0; i < in->n_hiddens; ++i) info.hiddens.push_back(to_torch(in->hiddens[i]));
  return info;
}

// Calls emit(object.step(...)) with the arguments that the step's signature has. As in Lightning, the second number is
// that of the optimizer in training and that of the loader elsewhere.
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
    call(in->batch_idx, in->stage == LEVIN_STAGE_FIT ? in->optimizer_idx : in->dataloader_idx);
  else if constexpr (std::is_invocable_v<F, T&, const Batch&, const StepInfo&>)
    call(step_info(object, in));
  else
    call();
}

template <class T>
levin_status missing(T& object, const char* step) {
  return object.host()->fail(object.host(), LEVIN_E_UNSUPPORTED, (std::string("the model has no ") + step).c_str());
}

template <class H>
levin_status step_model(void* self, const levin_step_in* in, const levin_step_out* out) noexcept {
  using T = decltype(H::object);
  return with_object<H>(self, [&](T& object) -> levin_status {
    object.set_run(in->run);
    const Emit emit(out, in->stage == LEVIN_STAGE_PREDICT ? "prediction" : "loss");
    switch (in->stage) {
      case LEVIN_STAGE_FIT:
        if constexpr (has_training_step<T>::value) return run_step(object, &T::training_step, in, emit), LEVIN_OK;
        return missing(object, "training_step");
      case LEVIN_STAGE_SANITY:
      case LEVIN_STAGE_VALIDATE:
        if constexpr (has_validation_step<T>::value) return run_step(object, &T::validation_step, in, emit), LEVIN_OK;
        return missing(object, "validation_step");
      case LEVIN_STAGE_TEST:
        if constexpr (has_test_step<T>::value) return run_step(object, &T::test_step, in, emit), LEVIN_OK;
        return missing(object, "test_step");
      default:
        if constexpr (has_predict_step<T>::value) return run_step(object, &T::predict_step, in, emit), LEVIN_OK;
        return missing(object, "predict_step");
    }
  });
}

// Which steps a class has, as the bits of levin_model.steps.
template <class T>
constexpr uint32_t steps_of() {
  return (has_training_step<T>::value ? 1u << LEVIN_STAGE_FIT : 0) |
         (has_validation_step<T>::value ? 1u << LEVIN_STAGE_VALIDATE : 0) |
         (has_test_step<T>::value ? 1u << LEVIN_STAGE_TEST : 0) |
         (has_predict_step<T>::value ? 1u << LEVIN_STAGE_PREDICT : 0);
}

template <class H>
levin_status tbptt_split_model(void* self, const levin_batch* batch, int64_t size,
                               const levin_split_out* out) noexcept {
  return with_object<H>(self, [=](auto& object) {
    for (const std::vector<torch::Tensor>& split : object.tbptt_split_batch(batch_for(object, batch), size)) {
      std::vector<levin_tensor*> handles;
      for (const torch::Tensor& tensor : split) handles.push_back(to_handle(tensor));
      check(out->add(out, handles.data(), static_cast<uint32_t>(handles.size())), "tbptt_split_batch");
    }
  });
}

// Whether training_step can tell which optimizer it is called for, which is LEVIN_F_OPTIMIZER_IDX.
template <class T>
constexpr bool looks_at_optimizer_idx() {
  if constexpr (has_training_step<T>::value) {
    using F = decltype(&T::training_step);
    return std::is_invocable_v<F, T&, const Batch&, int64_t, int64_t> ||
           std::is_invocable_v<F, T&, const Batch&, const StepInfo&>;
  }
  return false;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
