#include "core/trainer/fit_checks.hpp"

#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/loops/fit_rules.hpp"

namespace levin::core {
namespace {

// Throws Error{usage} for options that have no effect in manual optimization, where the model does that work itself.
void check_manual_optimization(const RunPlan& plan) {
  const std::string reason = " does not work with manual optimization: the model has to do it; leave it out";
  if (plan.optimization.gradient_clip_val)
    throw Error(ErrorCode::option_unsupported, "trainer.gradient_clip_val" + reason);
  for (const auto& [epoch, window] : plan.optimization.accumulate_grad_batches)
    if (window != 1) throw Error(ErrorCode::option_unsupported, "trainer.accumulate_grad_batches" + reason);
}

}  // namespace

void check_fit(const RunSettings& settings, const Model& model, const LoaderSet& loaders) {
  const char* missing = nullptr;
  if (!model.has_step(LEVIN_STAGE_FIT))
    missing = "training_step";
  else if (!model.overrides().has_configure_optimizers())
    missing = "configure_optimizers";
  if (missing)
    throw Error(ErrorCode::step_missing, "model '" + settings.config.model.component + "' has no " + missing +
                                             "; a fit needs training_step, configure_optimizers and data to train on "
                                             "(train_dataloader)");
  if (!settings.plan.limits.train.off() && !loaders.exists(LEVIN_TRAIN))
    throw Error(ErrorCode::data_empty, loaders.data().plugin() + " has no training data (no train_dataloader)");
  if (model.manual_optimization()) check_manual_optimization(settings.plan);
}

namespace {

void warn_of_parameters_left_out(const Model& model, OptimizerSet& optimizers, Console& console) {
  std::set<std::string> taken;
  for (const auto& optimizer : optimizers.optimizers())
    for (const ParamGroup& group : optimizer->groups()) taken.insert(group.names.begin(), group.names.end());
  // A parameter with two names, as a tied weight, is trained if a group has one of them.
  std::set<const c10::TensorImpl*> trained;
  for (const NamedTensor& p : model.parameters())
    if (taken.count(p.name)) trained.insert(p.tensor.unsafeGetTensorImpl());
  std::vector<std::string> left;
  for (const NamedTensor& p : model.parameters())
    if (p.tensor.requires_grad() && !trained.count(p.tensor.unsafeGetTensorImpl())) left.push_back(p.name);
  if (!left.empty())
    console.warn("no optimizer has the parameters " + join_some(left, 5) +
                 ": they are not trained; add them to a group, or set requires_grad to false");
}

}  // namespace

void check_optimizers(const Model& model, OptimizerSet& optimizers, Console& console) {
  const size_t n = optimizers.optimizers().size();
  if (n == 0) console.warn("configure_optimizers returned no optimizer: nothing is trained");
  if (n > 1 && !model.manual_optimization() && !model.looks_at_optimizer_idx())
    throw Error(ErrorCode::optimizer_misconfigured,
                "the model configures " + std::to_string(n) +
                    " optimizers in automatic optimization, but its training_step does not look at optimizer_idx; "
                    "declare training_step(batch, batch_idx, optimizer_idx), or use manual optimization "
                    "(automatic_optimization = false)");
  if (n > 0) warn_of_parameters_left_out(model, optimizers, console);
}

namespace {

[[noreturn]] void refuse_resume(const char* unit, int64_t at, int64_t most) {
  throw Error(ErrorCode::checkpoint_past_end, std::string("the checkpoint is at ") + unit + " " + std::to_string(at) +
                                                  ", and trainer.max_" + unit + "s is " + std::to_string(most) +
                                                  "; give at least " + std::to_string(at + 1));
}

}  // namespace

void check_resumed(const RunPlan& plan, const RunProgress& progress, bool one_step_a_batch, Console& console) {
  const int64_t epoch = progress.epochs_processed(), step = progress.global_step();
  if (plan.duration.max_epochs >= 0 && progress.current_epoch() > plan.duration.max_epochs)
    refuse_resume("epoch", epoch, plan.duration.max_epochs);
  // The last batch of a run that is complete may have had several steps.
  if (plan.duration.max_steps >= 0 && step > plan.duration.max_steps && one_step_a_batch)
    refuse_resume("step", step, plan.duration.max_steps);
  if (fit_is_done(plan, {epoch, step, false}))
    console.warn("nothing is left to train: the checkpoint is at epoch " + std::to_string(epoch) + ", step " +
                 std::to_string(step) + "; increase trainer.max_epochs or trainer.max_steps");
}

void check_predict(const RunSettings& settings, const Model& model) {
  if (model.has_step(LEVIN_STAGE_PREDICT)) return;
  throw Error(ErrorCode::step_missing, "model '" + settings.config.model.component + "' has no predict_step");
}

std::string why_not_evaluated(const Model& model, uint32_t stage, const LoaderSet& loaders) {
  const std::string name = stage == LEVIN_STAGE_TEST ? "test" : "validation";
  if (!model.has_step(stage)) return "model '" + model.schema().id + "' has no " + name + "_step";
  return loaders.data().plugin() + " has no " + name + " rows";
}

void refuse_evaluation(const Model& model, uint32_t stage) {
  const bool test = stage == LEVIN_STAGE_TEST;
  const std::string name = test ? "test" : "validation", nothing = test ? "nothing to test" : "nothing to validate";
  if (model.has_step(stage))
    throw Error(ErrorCode::split_missing,
                "there is " + nothing + ": the data has no " + name + " split, or the limit is 0");
  const uint32_t other = test ? LEVIN_STAGE_VALIDATE : LEVIN_STAGE_TEST;
  const std::string hint = test ? "; host validate runs its validation_step" : "; host test runs its test_step";
  throw Error(ErrorCode::step_missing, "model '" + model.schema().id + "' has no " + name + "_step, so there is " +
                                           nothing + (model.has_step(other) ? hint : ""));
}

}  // namespace levin::core
