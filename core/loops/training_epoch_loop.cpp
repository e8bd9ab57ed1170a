#include "core/loops/training_epoch_loop.hpp"

#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/base/error.hpp"
#include "core/data/limits.hpp"

namespace levin::core {
namespace {

BatchGroup* next_of(BatchFeed& feed) {
  const CallScope action("train_dataloader_next");
  return feed.next();
}

// While it exists, the guard can describe the current batch.
class LookScope {
 public:
  LookScope(NonFiniteGuard& guard, const DeviceBatches& batches) : guard_(guard) {
    before_ = guard.on_look([&batches] { return batches.non_finite_fields(); });
  }
  ~LookScope() { guard_.on_look(std::move(before_)); }
  LookScope(const LookScope&) = delete;
  LookScope& operator=(const LookScope&) = delete;

 private:
  NonFiniteGuard& guard_;
  NonFiniteGuard::LookAtBatch before_;
};

}  // namespace

TrainingEpochLoop::TrainingEpochLoop(const LoopContext& context, OptimizerSet& optimizers, Optimization& optimization,
                                     ScheduleStepper& schedules, EvaluationLoop& validation)
    : context_(context),
      progress_(context.progress),
      optimizers_(optimizers),
      guard_(optimization.guard()),
      schedules_(schedules),
      validation_(validation),
      batch_loop_({context.plan, context.model, optimizers, optimization, context.progress, context.hooks.run(),
                   context.warn, [this] { end_split(); }}),
      batches_(context.model, context.precision, context.strategy, context.progress),
      answers_(context.strategy.processes(), context.warn),
      last_validation_(context.now()) {}

StopInputs TrainingEpochLoop::stop_inputs() const {
  StopInputs in = context_.stop_inputs();
  in.batches_done = progress_.of(Counted::batch).current.ready;
  if (n_batches_ != unlimited) in.batches = n_batches_;
  in.data_ended = progress_.is_last_batch();
  in.skip_epoch = skips_epoch();
  return in;
}

bool TrainingEpochLoop::reached_all_batches() const { return core::reached_all_batches(stop_inputs()); }

bool TrainingEpochLoop::done() {
  const EpochDecision decision = epoch_is_done(context_.plan, stop_inputs());
  if (decision.minimum_not_met && !std::exchange(warned_minimum_, true))
    context_.warn("a stop was requested, but trainer.min_epochs=" + std::to_string(context_.plan.duration.min_epochs) +
                  " or trainer.min_steps=" + std::to_string(context_.plan.duration.min_steps) +
                  " is not reached: training continues");
  return decision.done;
}

void TrainingEpochLoop::begin_fit() {
  warned_minimum_ = warned_empty_ = false;
  batch_loop_.begin_fit();
  answers_.begin_fit();
  last_validation_ = context_.now();
}

void TrainingEpochLoop::end_fit() {
  batch_loop_.end_fit();
  batches_.release();
}

void TrainingEpochLoop::run(int64_t batches, const FoundPosition& found) {
  n_batches_ = batches;
  const std::optional<int64_t> known = batches == unlimited ? std::nullopt : std::optional<int64_t>(batches);
  // A val_check_interval in batches is checked against the epoch's length only if validation runs.
  const bool validates = context_.plan.validation.val_check_interval.fraction || validation_.enabled();
  check_batch_ = validates ? val_check_batch(context_.plan, known) : std::nullopt;
  progress_.place.n_batches = batches;
  const bool goes_on = found.within_epoch();
  progress_.begin_batches(goes_on);
  if (goes_on) {
    context_.agreement.go_on(/*batch_ended=*/!progress_.batch_is_open());
  } else {
    context_.accumulation.begin_epoch();
    context_.agreement.begin_epoch();
  }
  batch_loop_.begin_epoch(goes_on);
  answers_.begin_epoch(context_.hooks.wants(LEVIN_HOOK_TRAIN_BATCH_START));
  auto& loaders = context_.loaders.get(LEVIN_TRAIN);
  if (progress_.batch_is_open()) finish_resumed_batch(found.phase == FitPhase::in_validation);
  progress_.restart_accumulation(context_.accumulation.batches());
  BatchFeed feed(loaders, context_.loaders.mode(LEVIN_TRAIN), context_.loaders.limits(LEVIN_TRAIN));
  if (context_.strategy.several() && context_.loaders.has_stream(LEVIN_TRAIN))
    feed.end_together([this](bool mine) { return context_.strategy.processes().all(mine, "whether data is left"); });
  feed.begin_epoch(progress_.current_epoch(), progress_.of(Counted::batch).current.ready, batches);
  const LookScope look(guard_, batches_);
  while (!done()) {
    BatchGroup* group = next_of(feed);
    if (!group) {
      check_not_empty();
      break;
    }
    progress_.reach_batch(feed.done());
    batches_.enter_training(*group);
    batches_.move(*group, loaders, context_.plan.machine.channels_last);
    const bool trained = advance();
    batches_.leave();
    if (!trained) break;
    if (validation_is_due()) validate();
    after_validation();
  }
  guard_.settle(/*wait=*/true);
}

// Called when the data has ended. Throws Error{data} if there never was a batch, because epochs without batches would
// go on forever.
void TrainingEpochLoop::check_not_empty() {
  if (progress_.of(Counted::batch).current.ready > 0) return;
  const std::string why = context_.loaders.why_empty(LEVIN_TRAIN);
  if (progress_.of(Counted::batch).total.ready == 0)
    throw Error(ErrorCode::data_empty, why + ": there is nothing to train");
  if (!std::exchange(warned_empty_, true))
    context_.warn(why + " in epoch " + std::to_string(progress_.current_epoch()) +
                  ", which trains nothing; does 'rewind' start it again?");
}

bool TrainingEpochLoop::advance() {
  if (progress_.of(Counted::batch).current.ready > 0) context_.log.begin_repeated();  // until the batch's step is done
  progress_.begin_batch();
  context_.log.train().set_batch(batches_.first().rows(), -1);
  context_.accumulation.begin_batch(/*steps=*/false);
  const auto with_batch = [&](levin_event& e) { batches_.show(e); };
  context_.fire(LEVIN_HOOK_BATCH_START, with_batch);
  const levin_status answer = answers_.of_all(context_.fire(LEVIN_HOOK_TRAIN_BATCH_START, with_batch), progress_);
  if (answer == LEVIN_SKIP_EPOCH) {
    skip_epoch();
    return false;
  }
  progress_.start_batch();
  if (answer == LEVIN_SKIP) {
    skip_batch();
    return true;
  }
  train_batch();
  context_.log.agree_on_step();
  fire_batch_end();
  context_.fire(LEVIN_HOOK_BATCH_END, with_batch);
  guard_.settle(/*wait=*/false);
  complete_batch();
  return true;
}

// A hook returned LEVIN_SKIP_EPOCH: this batch counts as the epoch's last one and ends the accumulation window.
void TrainingEpochLoop::skip_epoch() {
  progress_.process_last_batch();
  context_.log.end_repeated();
  batch_loop_.choose_optimizers(progress_.batch_idx());
  context_.accumulation.begin_batch(window().ends);
  step_schedules_of_batch(ScheduleStepper::Kind::plain);
  schedules_.after_epoch(ScheduleStepper::Kind::plain);
}

void TrainingEpochLoop::skip_batch() {
  progress_.process_batch();
  context_.log.end_repeated();
  progress_.complete_batch();
  step_schedules_of_epoch_if_last();
}

void TrainingEpochLoop::train_batch() {
  const AccumulationWindow accumulation = window();
  context_.accumulation.begin_batch(accumulation.ends);
  {
    const CallScope action("run_training_batch");
    batch_loop_.run(batches_, accumulation);
  }
  progress_.process_batch();
  context_.accumulation.end_batch();
  context_.log.end_repeated();
  step_schedules_of_batch(ScheduleStepper::Kind::plain);
  step_schedules_of_epoch_if_last();
}

// In manual optimization there is no accumulation: the model may step in every batch.
AccumulationWindow TrainingEpochLoop::window() const {
  const bool ends_by_itself = context_.model.manual_optimization() || reached_all_batches();
  return accumulation_window(progress_.batch_idx(), context_.accumulation.batches(), ends_by_itself,
                             context_.plan.optimization.accumulate_exact);
}

void TrainingEpochLoop::step_schedules_of_batch(ScheduleStepper::Kind kind) {
  if (context_.accumulation.steps()) schedules_.after_batch(kind, batch_loop_.optimizers_of_batch());
}

void TrainingEpochLoop::step_schedules_of_epoch_if_last() {
  if (reached_all_batches()) schedules_.after_epoch(ScheduleStepper::Kind::plain);
}

void TrainingEpochLoop::fire_batch_end() {
  StepOutputs& outputs = batch_loop_.outputs();
  context_.fire(LEVIN_HOOK_TRAIN_BATCH_END, [&](levin_event& e) {
    batches_.show(e);
    outputs.show(e);
  });
  outputs.clear();
}

void TrainingEpochLoop::complete_batch() {
  progress_.complete_batch();
  log_step_metrics();
}

void TrainingEpochLoop::log_step_metrics() {
  if (!context_.accumulation.steps()) return;
  const bool stopping = progress_.stop.asked();
  // A stop may be requested in one process only, so it must not decide about a collective.
  if (context_.log.due(progress_.batches_that_stepped(), /*stopping=*/false)) context_.log.agree_on_step(true);
  if (context_.log.due(progress_.batches_that_stepped(), stopping) || context_.plan.duration.fast_dev_run > 0) {
    guard_.settle(/*wait=*/true);  // values are read from the device here anyway
    context_.log.log_train_step(context_.log_axis());
  }
  if (flushes_logs(context_.plan.logging.flush_logs_every_n_steps, progress_.global_step() - 1, stopping))
    context_.log.flush();
}

// A split steps and is logged like a batch. The last split is logged with its batch.
void TrainingEpochLoop::end_split() {
  log_step_metrics();
  progress_.count_stepped_batch();
}

void TrainingEpochLoop::finish_resumed_batch(bool repeats_validation) {
  const Counter& batch = progress_.of(Counted::batch).current;
  batch_loop_.choose_optimizers(progress_.batch_idx());
  if (batch.completed < batch.ready) complete_batch();
  const bool validated = progress_.phase() == FitPhase::after_validation;
  const bool validates = !validated && (repeats_validation || validation_is_due());
  progress_.restart_accumulation(context_.accumulation.batches());  // before validation saves a checkpoint
  if (validates) validate();
  after_validation();
}

ValidationInputs TrainingEpochLoop::validation_inputs() const {
  ValidationInputs in;
  in.epoch = progress_.current_epoch();
  in.batch_idx = progress_.batch_idx();
  in.total_batch_idx = progress_.of(Counted::batch).total.ready - 1;
  in.is_last_batch = reached_all_batches();
  in.stopping = progress_.stop.asked() && can_stop_early(context_.plan, context_.stop_inputs());
  const Limit& train = context_.plan.limits.train;
  if (!train.fraction) in.limit_train = static_cast<int64_t>(train.value);
  in.seconds_since_last = std::chrono::duration<double>(context_.now() - last_validation_).count();
  if (const auto limit = context_.plan.validation.val_check_interval.seconds)
    in.seconds_since_last = context_.agreement.time_to_validate(in.seconds_since_last >= *limit) ? *limit : 0;
  return in;
}

bool TrainingEpochLoop::validation_is_due() const {
  return validates_now(context_.plan, check_batch_, validation_inputs()) && validation_.enabled();
}

void TrainingEpochLoop::validate() {
  if (context_.accumulation.steps()) zero_grad_before_validation();
  validation_.run(LEVIN_STAGE_VALIDATE, unlimited);
  last_validation_ = context_.now();
  context_.agreement.validated();
}

void TrainingEpochLoop::zero_grad_before_validation() {
  if (context_.model.wants(LEVIN_HOOK_VALIDATION_MODEL_ZERO_GRAD))
    return context_.hooks.model_only(LEVIN_HOOK_VALIDATION_MODEL_ZERO_GRAD, progress_);
  for (const auto& optimizer : optimizers_.optimizers()) optimizer->zero_grad();
}

void TrainingEpochLoop::after_validation() {
  step_schedules_of_batch(ScheduleStepper::Kind::monitored);
  if (context_.accumulation.steps()) progress_.count_stepped_batch();
  progress_.finish_batch();
  if (context_.end_batch) context_.end_batch();
}

}  // namespace levin::core
