// The rules for the classes of models (levin/detail/members.hpp), and lists of their members besides hooks.
#pragma once
#include <vector>

#include "levin/torch/model_base.hpp"
#include "levin/torch/model_parts.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The result types that a step may have.
struct StepResult {
  template <class R>
  static constexpr bool takes =
      std::is_void_v<R> || std::is_convertible_v<R, torch::Tensor> || std::is_same_v<std::decay_t<R>, Outputs>;
};
#define LEVIN_STEP_FORMS                                                                    \
  Takes<const Batch&>, Takes<const Batch&, int64_t>, Takes<const Batch&, int64_t, int64_t>, \
      Takes<const Batch&, const StepInfo&>
#define LEVIN_STEP(name) "void, torch::Tensor or levin::Outputs " name "(const levin::Batch&, int64_t batch_idx)"
#define LEVIN_STEP_END(name) "void or torch::Tensor " name "(const levin::Outputs&)"
#define LEVIN_EPOCH_END(name) "void " name "(const std::vector<levin::Outputs>&)"
#define LEVIN_OVERRIDE_OF(name) "void " name "(const levin::OptimCall&)"
#define LEVIN_TRANSFER(name) "std::vector<torch::Tensor> " name "(const levin::Batch&)"

#define LEVIN_FOR_EACH_MODEL_MEMBER(X)                                                                                \
  X(training_step, StepResult, LEVIN_STEP("training_step"), LEVIN_STEP_FORMS)                                         \
  X(validation_step, StepResult, LEVIN_STEP("validation_step"), LEVIN_STEP_FORMS)                                     \
  X(test_step, StepResult, LEVIN_STEP("test_step"), LEVIN_STEP_FORMS)                                                 \
  X(predict_step, StepResult, LEVIN_STEP("predict_step"), LEVIN_STEP_FORMS)                                           \
  X(configure_optimizers, Anything, "void configure_optimizers(levin::OptimPlan&)", Takes<OptimPlan&>)                \
  X(training_step_end, StepResult, LEVIN_STEP_END("training_step_end"), Takes<const Outputs&>)                        \
  X(validation_step_end, StepResult, LEVIN_STEP_END("validation_step_end"), Takes<const Outputs&>)                    \
  X(test_step_end, StepResult, LEVIN_STEP_END("test_step_end"), Takes<const Outputs&>)                                \
  X(training_epoch_end, Anything, LEVIN_EPOCH_END("training_epoch_end"), Takes<const std::vector<Outputs>&>)          \
  X(validation_epoch_end, Anything, LEVIN_EPOCH_END("validation_epoch_end"), Takes<const std::vector<Outputs>&>)      \
  X(test_epoch_end, Anything, LEVIN_EPOCH_END("test_epoch_end"), Takes<const std::vector<Outputs>&>)                  \
  X(optimizer_step, Anything, LEVIN_OVERRIDE_OF("optimizer_step"), Takes<OptimCall>)                                  \
  X(optimizer_zero_grad, Anything, LEVIN_OVERRIDE_OF("optimizer_zero_grad"), Takes<OptimCall>)                        \
  X(backward, Anything, LEVIN_OVERRIDE_OF("backward"), Takes<OptimCall>)                                              \
  X(lr_scheduler_step, Anything, LEVIN_OVERRIDE_OF("lr_scheduler_step"), Takes<OptimCall>)                            \
  X(configure_gradient_clipping, Anything, LEVIN_OVERRIDE_OF("configure_gradient_clipping"), Takes<OptimCall>)        \
  X(on_before_batch_transfer, Anything, LEVIN_TRANSFER("on_before_batch_transfer"), Takes<const Batch&>)              \
  X(on_after_batch_transfer, Anything, LEVIN_TRANSFER("on_after_batch_transfer"), Takes<const Batch&>)                \
  X(transfer_batch_to_device, Anything,                                                                               \
    "std::vector<torch::Tensor> transfer_batch_to_device(const levin::Batch&, torch::Device)",                        \
    Takes<const Batch&, torch::Device>)                                                                               \
  X(tbptt_split_batch, Anything,                                                                                      \
    "std::vector<std::vector<torch::Tensor>> tbptt_split_batch(const levin::Batch&, int64_t split_size)",             \
    Takes<const Batch&, int64_t>)                                                                                     \
  X(configure_callbacks, Anything, "static void configure_callbacks(const levin::Args&, const levin::CallbackList&)", \
    Takes<const Args&, const CallbackList&>)                                                                          \
  X(example_input, Convertible<torch::Tensor>, "torch::Tensor example_input() const", Takes<>)
#define LEVIN_FOR_EACH_MISSPELT_MODEL_MEMBER(X) \
  X(train_step, training_step)                  \
  X(val_step, validation_step)                  \
  X(valid_step, validation_step)                \
  X(eval_step, validation_step)                 \
  X(testing_step, test_step)                    \
  X(prediction_step, predict_step)              \
  X(configure_optimizer, configure_optimizers)  \
  X(configure_optimisers, configure_optimizers) \
  X(train_step_end, training_step_end)          \
  X(val_step_end, validation_step_end)          \
  X(train_epoch_end, training_epoch_end)        \
  X(val_epoch_end, validation_epoch_end)        \
  X(validation_end, validation_epoch_end)       \
  X(trainingStep, training_step)                \
  X(validationStep, validation_step)            \
  X(testStep, test_step)                        \
  X(predictStep, predict_step)                  \
  X(configureOptimizers, configure_optimizers)
LEVIN_FOR_EACH_MODEL_MEMBER(LEVIN_DETECT_MEMBER)
LEVIN_FOR_EACH_MISSPELT_MODEL_MEMBER(LEVIN_MISSPELT_NAME)
struct ModelNames {
  LEVIN_FOR_EACH_MODEL_MEMBER(LEVIN_INT_MEMBER)
};
struct MisspeltModelNames {
  LEVIN_FOR_EACH_MISSPELT_MODEL_MEMBER(LEVIN_INT_WRONG)
};
LEVIN_FOR_EACH_STEP_SLIP(LEVIN_SLIP_NAME)
struct StepSlips {
  LEVIN_FOR_EACH_STEP_SLIP(LEVIN_INT_WRONG)
};
template <class B, class = void>
struct has_no_step_slip : std::false_type {};
template <class B>
struct has_no_step_slip<B, std::void_t<void LEVIN_FOR_EACH_STEP_SLIP(LEVIN_AND_POINTER)>> : std::true_type {};
template <class T>
constexpr bool step_slips_are_sound() {
#define LEVIN_SOUND_SLIP(wrong, right) LEVIN_SLIP_RULE(LEVIN_HOLDS, StepSlips, wrong, ModelNames, right)
  if constexpr (!std::is_final_v<T>) {
    if constexpr (has_no_step_slip<Beside<T, StepSlips>>::value)
      return true;
    else
      return true LEVIN_FOR_EACH_STEP_SLIP(LEVIN_SOUND_SLIP);
  } else {
    return true LEVIN_FOR_EACH_STEP_SLIP(LEVIN_SOUND_SLIP);
  }
#undef LEVIN_SOUND_SLIP
}
template <class T>
constexpr void demand_step_slips() {
#define LEVIN_DEMAND_SLIP(wrong, right) LEVIN_SLIP_RULE(LEVIN_DEMAND, StepSlips, wrong, ModelNames, right)
  if constexpr (!step_slips_are_sound<T>()) {
    LEVIN_FOR_EACH_STEP_SLIP(LEVIN_DEMAND_SLIP)
  }
#undef LEVIN_DEMAND_SLIP
}
// Called before a model exists: they must be static.
template <class T, class Name>
constexpr bool is_static_if_any() {
  if constexpr (has_pointer<T, Name>::value)
    return !std::is_member_function_pointer_v<typename Name::template pointer<T>>;
  else
    return true;
}
struct MisspeltConstants {
  int automatic_optimisation, manual_optimization;
};
LEVIN_MEMBER_NAME(automatic_optimisation)
LEVIN_MEMBER_NAME(manual_optimization)
#define LEVIN_OPTIMIZATION_RULE(RULE, wrong)                                                \
  RULE((!declares<T, MisspeltConstants, name_##wrong>()),                                   \
       "Levin never reads '" #wrong                                                         \
       "': did you mean 'static constexpr bool automatic_optimization = false'? Otherwise " \
       "give it another name")
#define LEVIN_STATIC_RULES(RULE)                                                                                       \
  LEVIN_OPTIMIZATION_RULE(RULE, automatic_optimisation)                                                                \
  LEVIN_OPTIMIZATION_RULE(RULE, manual_optimization)                                                                   \
  RULE((is_static_if_any<T, name_prepare_data>()),                                                                     \
       "'prepare_data' of a model is called before there is a model: declare it as static void prepare_data(const "    \
       "levin::Args&)")                                                                                                \
  RULE((is_static_if_any<T, name_configure_callbacks>()),                                                              \
       "'configure_callbacks' is called before there is a model: declare it as static void configure_callbacks(const " \
       "levin::Args&, const levin::CallbackList&)")
// Networks of supervised tasks are plain modules, whose zero_grad is called.
#define LEVIN_ZERO_GRAD_RULE(RULE)                                            \
  RULE((!std::is_base_of_v<ModelBase, T> || !overrides<T, name_zero_grad>()), \
       "Levin never calls 'zero_grad' of a model: declare void optimizer_zero_grad(const levin::OptimCall&) instead")
template <class T>
constexpr bool model_is_sound() {
#define LEVIN_SOUND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_HOLDS, ModelNames, member, __VA_ARGS__)
#define LEVIN_SOUND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_HOLDS, MisspeltModelNames, wrong, ModelNames, right)
  return hooks_are_sound<T>() && step_slips_are_sound<T>() LEVIN_STATE_RULES(LEVIN_HOLDS)
                                     LEVIN_ZERO_GRAD_RULE(LEVIN_HOLDS) LEVIN_STATIC_RULES(LEVIN_HOLDS)
                                         LEVIN_FOR_EACH_MODEL_MEMBER(LEVIN_SOUND_MEMBER)
                                             LEVIN_FOR_EACH_MISSPELT_MODEL_MEMBER(LEVIN_SOUND_WRONG);
#undef LEVIN_SOUND_MEMBER
#undef LEVIN_SOUND_WRONG
}
template <class T>
constexpr void demand_model() {
#define LEVIN_DEMAND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_DEMAND, ModelNames, member, __VA_ARGS__)
#define LEVIN_DEMAND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_DEMAND, MisspeltModelNames, wrong, ModelNames, right)
  demand_hooks<T>();
  demand_step_slips<T>();
  LEVIN_STATE_RULES(LEVIN_DEMAND)
  LEVIN_ZERO_GRAD_RULE(LEVIN_DEMAND)
  LEVIN_STATIC_RULES(LEVIN_DEMAND)
  LEVIN_FOR_EACH_MODEL_MEMBER(LEVIN_DEMAND_MEMBER)
  LEVIN_FOR_EACH_MISSPELT_MODEL_MEMBER(LEVIN_DEMAND_WRONG)
#undef LEVIN_DEMAND_MEMBER
#undef LEVIN_DEMAND_WRONG
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
