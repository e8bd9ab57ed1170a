#include "core/loops/fit_loop.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/base/error.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

FitLoop::FitLoop(const LoopContext& context, OptimizerSet& optimizers, Optimization& optimization,
                 EvaluationLoop& validation)
    : context_(context),
      progress_(context.progress),
      optimizers_(optimizers),
      guard_(optimization.guard()),
      validation_(validation),
      schedules_(context.model, optimizers, context.log, context.progress, context.hooks.run(), context.warn),
      epoch_loop_(context, optimizers, optimization, schedules_, validation) {}

std::optional<int64_t> FitLoop::estimated_stepping_batches(const RunPlan& plan, LoaderSet& loaders,
                                                           const Accumulation& accumulation) {
  if (plan.optimization.accumulate_grad_batches.size() > 1) return std::nullopt;
  const int64_t batches = loaders.total_batches(LEVIN_TRAIN);
  return core::estimated_stepping_batches(batches == unlimited ? std::nullopt : std::optional<int64_t>(batches),
                                          accumulation.batches(), plan.duration.max_epochs, plan.duration.max_steps);
}

bool FitLoop::done() const { return fit_is_done(context_.plan, context_.stop_inputs()); }

nlohmann::json FitLoop::state_dict() {
  nlohmann::json state = progress_.state_dict();
  state.update(context_.accumulation.state_dict());
  state.update(context_.agreement.state_dict());
  state.update(validation_.state_dict());
  if (const SkippedSteps skipped = guard_.skipped(); skipped.total > 0) state["left_out_steps"] = skipped.state_dict();
  return state;
}

FoundPosition FitLoop::load_state_dict(const nlohmann::json& state) {
  const FoundPosition found = progress_.load_state_dict(state);
  context_.accumulation.load_state_dict(state);
  if (found.within_epoch()) context_.agreement.load_state_dict(state);
  validation_.load_state_dict(state);
  guard_.set_skipped(SkippedSteps::from(state.value("left_out_steps", nlohmann::json())));
  return found;
}

void FitLoop::reshard_epoch(int64_t rows_before, int64_t rows) {
  context_.accumulation.drop();
  progress_.reshard_epoch(rows_before, rows);
}

void FitLoop::run(const FoundPosition& found) {
  epoch_loop_.begin_fit();
  context_.loaders.set_epoch(progress_.current_epoch());
  const int64_t batches = context_.loaders.total_batches(LEVIN_TRAIN);
  warn_of_batches(batches);
  if (found.at_epoch_end()) {
    step_pending_schedules();
    progress_.complete_epoch();  // after the loaders were created, because they need the old epoch number
  }
  bool to_end = found.epoch_is_due() && epoch_is_allowed(context_.plan, progress_.current_epoch());
  context_.agreement.before_batches();
  if (batches == 0 || (done() && !to_end)) return;
  warn_of_val_check();
  if (validation_.enabled() && validates_in_epoch(context_.plan, progress_.current_epoch()))
    context_.loaders.get(LEVIN_VAL);
  context_.model.mode(true);
  context_.fire(LEVIN_HOOK_TRAIN_START);
  context_.agreement.before_batches();
  FoundPosition from = found;
  while (std::exchange(to_end, false) || !done()) {
    reload_if_due();
    advance(std::exchange(from, {}));
    end_epoch();
  }
  context_.fire(LEVIN_HOOK_TRAIN_END);
  epoch_loop_.end_fit();
}

void FitLoop::warn_of_batches(int64_t batches) const {
  if (batches == 0) return context_.warn("nothing is trained: " + context_.loaders.why_empty(LEVIN_TRAIN));
  const bool splits = context_.plan.optimization.truncated_bptt_steps > 0;  // each split is logged like a batch
  if (batches > 0 && !splits && context_.plan.duration.fast_dev_run == 0 && context_.log.outlasts(batches))
    context_.warn("an epoch has " + std::to_string(batches) + (batches == 1 ? " training batch" : " training batches") +
                  ", fewer than trainer.log_every_n_steps=" + std::to_string(context_.plan.logging.log_every_n_steps) +
                  ": set it lower to see the training metrics of every epoch");
}

void FitLoop::warn_of_val_check() const {
  const int64_t batches = context_.loaders.total_batches(LEVIN_TRAIN);
  if (batches == unlimited || !validation_.enabled()) return;
  const std::string remark = val_check_remark(context_.plan, batches);
  if (!remark.empty()) context_.warn(remark);
}

void FitLoop::reload_if_due() {
  const int64_t epoch = progress_.current_epoch(), every = context_.plan.data.reload_dataloaders_every_n_epochs;
  context_.loaders.set_epoch(epoch);
  if (every == 0 || epoch - context_.loaders.made_in_epoch(LEVIN_TRAIN) < every) return;
  context_.loaders.reload(LEVIN_TRAIN);
}

// Throws Error{usage} if gradient accumulation is combined with optimizer frequencies or truncated backpropagation.
void FitLoop::check_window() const {
  if (context_.accumulation.batches() == 1 || context_.model.manual_optimization()) return;
  const char* with = context_.plan.optimization.truncated_bptt_steps > 0 ? "trainer.truncated_bptt_steps" : nullptr;
  for (const int64_t f : optimizers_.frequencies())
    if (f > 0) with = "frequencies of optimizers";
  if (with)
    throw Error(ErrorCode::option_unsupported, std::string("trainer.accumulate_grad_batches does not work with ") +
                                                   with +
                                                   ": one step would use batches of several optimizers; leave it at 1");
}

void FitLoop::advance(const FoundPosition& found) {
  progress_.leave_batches();
  progress_.place.n_batches = context_.loaders.total_batches(LEVIN_TRAIN);
  if (const auto& schedule = context_.plan.optimization.accumulate_grad_batches; schedule.size() > 1)
    context_.accumulation.set_batches(window_at(schedule, progress_.current_epoch()).value_or(1));
  if (!found.within_epoch()) {      // otherwise they were fired before the checkpoint was saved
    context_.log.begin_repeated();  // until the first batch's step is done
    progress_.begin_epoch();
    context_.fire(LEVIN_HOOK_EPOCH_START);
    context_.fire(LEVIN_HOOK_TRAIN_EPOCH_START);
    context_.agreement.before_batches();
    progress_.start_epoch();
  }
  check_window();
  progress_.start_clock();
  const CallScope action("run_training_epoch");
  epoch_loop_.run(context_.loaders.total_batches(LEVIN_TRAIN), found);  // hooks may have changed the number
  progress_.stop_clock();
}

void FitLoop::step_pending_schedules() {
  if (progress_.phase() == FitPhase::ending_epoch) schedules_.after_epoch(ScheduleStepper::Kind::monitored);
  progress_.schedules_stepped();
}

void FitLoop::end_epoch() {
  context_.log.reach_end();
  progress_.end_epoch(epoch_loop_.reached_all_batches() ? EpochEnd::whole
                      : epoch_loop_.skips_epoch()       ? EpochEnd::skipped
                                                        : EpochEnd::cut);
  {
    const OriginTracker::Scope scope(context_.hooks.origin(), origin_of_hook(LEVIN_HOOK_TRAIN_EPOCH_END));
    epoch_loop_.outputs().deliver(context_.model, context_.hooks.run());
  }
  context_.hooks.train_epoch_end(progress_, [this] { context_.log.agree(); });
  context_.fire(LEVIN_HOOK_EPOCH_END);
  step_pending_schedules();
  context_.log.log_train_epoch(context_.log_axis());
  progress_.complete_epoch();
  context_.agreement.now();
}

}  // namespace levin::core
