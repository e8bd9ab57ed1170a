#include "core/loops/training_epoch_loop.hpp"

#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

TrainingEpochLoop::TrainingEpochLoop(RunContext& context, EvaluationLoop& validation)
    : c_(context), validation_(validation), transfer_(context.model, context.precision, context.strategy) {
  in_.size = sizeof in_;
  in_.stage = LEVIN_STAGE_FIT;
  in_.run = context.run;
  in_.optimizer_idx = in_.split_idx = -1;
}

StopQuestion TrainingEpochLoop::question() const {
  StopQuestion q = c_.stop_question();
  q.batches_done = c_.progress.batch.ready;
  if (batches_ != unlimited) q.batches = batches_;
  q.data_ended = c_.progress.is_last_batch;
  q.skip_epoch = c_.progress.skip_epoch;
  return q;
}

bool TrainingEpochLoop::reached_all_batches() const { return core::reached_all_batches(question()); }

bool TrainingEpochLoop::done() {
  const EpochAnswer answer = epoch_is_done(c_.plan, question());
  if (answer.minimum_not_met && !std::exchange(told_minimum_, true))
    c_.warn("a stop was asked for, but trainer.min_epochs=" + std::to_string(c_.plan.min_epochs) +
            " or trainer.min_steps=" + std::to_string(c_.plan.min_steps) + " is not reached: training goes on");
  return answer.done;
}

void TrainingEpochLoop::run(Loader& loader, int64_t batches) {
  batches_ = batches;
  const std::optional<int64_t> known = batches == unlimited ? std::nullopt : std::optional<int64_t>(batches);
  // A count is compared with the epoch only where it matters.
  const bool counts = c_.plan.val_check_interval.fraction || validation_.enabled();
  check_batch_ = counts ? val_check_batch(c_.plan, known) : std::nullopt;
  c_.at().n_batches = batches;
  c_.progress.skip_epoch = false;
  stepped_ = true;
  Fetcher fetcher(loader);
  if (c_.progress.tail != BatchTail::none) finish_resumed_batch();
  fetcher.begin_epoch(c_.at().epoch, c_.progress.batch.ready, batches);
  while (!done()) {
    Batch* batch = fetcher.next();
    if (!batch) break;
    c_.progress.is_last_batch = fetcher.done();
    if (!advance(transfer_(*batch, loader.field_names()))) break;
    validate_if_due();
    after_validation();
  }
}

void TrainingEpochLoop::after_validation() {
  step_schedules(true, true);
  if (!accumulating()) ++c_.progress.batches_that_stepped;
  c_.progress.tail = BatchTail::none;
  if (c_.check_signals) c_.check_signals();
}

void TrainingEpochLoop::finish_resumed_batch() {
  BatchProgress& b = c_.progress.batch;
  c_.at().batch_idx = b.ready - 1;
  stepped_ = c_.model.manual_optimization() || window_ends();
  if (b.completed < b.ready) complete_batch();
  if (c_.progress.tail == BatchTail::logging) validate_if_due();
  after_validation();
}

void TrainingEpochLoop::complete_batch() {
  ++c_.progress.batch.completed;
  ++c_.progress.total_batches;
  log_step_metrics();
}

bool TrainingEpochLoop::window_ends() const {
  const BatchProgress& b = c_.progress.batch;
  return b.ready % c_.plan.accumulate_grad_batches == 0 || reached_all_batches();
}

bool TrainingEpochLoop::advance(Batch& batch) {
  Position& at = c_.at();
  BatchProgress& b = c_.progress.batch;
  at.batch_idx = b.ready++;
  c_.log.train().set_batch(batch.rows(), -1);
  stepped_ = false;
  const levin_status answer =
      c_.hooks.fire(LEVIN_HOOK_TRAIN_BATCH_START, [&](levin_event& e) { e.batch = batch.raw(); });
  if (answer == LEVIN_SKIP_EPOCH) {
    ++b.processed;
    step_schedules(false, false);
    return false;
  }
  if (answer == LEVIN_SKIP) {
    ++b.processed, ++b.completed, ++c_.progress.total_batches, ++c_.progress.skipped_batches;
    c_.progress.tail = BatchTail::logging;
    return true;
  }
  ++b.started;
  const levin_batch* raw = batch.raw();
  in_.batch = raw;
  in_.batches = &raw;
  in_.n_batches = 1;
  in_.epoch = at.epoch;
  in_.global_step = at.global_step;
  in_.batch_idx = at.batch_idx;
  in_.dataloader_idx = 0;
  in_.seed = at.seed;
  if (c_.model.manual_optimization()) {
    c_.optimization.run_manual(in_, outputs_);
    stepped_ = true;
  } else {
    stepped_ = window_ends();
    const int64_t window = c_.plan.accumulate_grad_batches;
    if (c_.optimization.run({&in_, at.batch_idx % window == 0, stepped_, window}, outputs_)) ++at.global_step;
  }
  ++b.processed;
  c_.progress.window_open = !stepped_;
  c_.progress.tail = BatchTail::logging;
  step_schedules(true, false);
  if (reached_all_batches()) step_schedules(false, false);
  fire_batch_end(batch);
  complete_batch();
  return true;
}

void TrainingEpochLoop::fire_batch_end(Batch& batch) {
  c_.hooks.fire(LEVIN_HOOK_TRAIN_BATCH_END, [&](levin_event& e) {
    e.batch = batch.raw();
    const auto& view = outputs_.view();
    e.outputs = view.data();
    e.n_outputs = view.size();
    e.loss = view.empty() ? nullptr : view.front().tensor;
  });
  outputs_.clear();
}

void TrainingEpochLoop::log_step_metrics() {
  if (accumulating()) return;
  if (c_.log.due(c_.progress.batches_that_stepped, c_.stop.asked()) || c_.plan.fast_dev_run > 0)
    c_.log.log_train_step(c_.axis());
  if (flushes_logs(c_.plan.flush_logs_every_n_steps, c_.at().global_step - 1, c_.stop.asked())) c_.log.flush();
}

void TrainingEpochLoop::validate_if_due() {
  if (!validation_.enabled()) return;
  ValQuestion q;
  q.epoch = c_.at().epoch;
  q.batch_idx = c_.at().batch_idx;
  q.total_batch_idx = c_.progress.total_batches - 1;
  q.is_last_batch = reached_all_batches();
  q.stopping = c_.stop.asked() && c_.can_stop_early();
  if (!c_.plan.limit_train.fraction) q.limit_train = static_cast<int64_t>(c_.plan.limit_train.value);
  const auto now = std::chrono::steady_clock::now();
  q.seconds_since_last = std::chrono::duration<double>(now - last_validation_).count();
  if (!validates_now(c_.plan, check_batch_, q)) return;
  if (!accumulating()) {
    if (c_.model.wants(LEVIN_HOOK_VALIDATION_MODEL_ZERO_GRAD))
      c_.hooks.model_only(LEVIN_HOOK_VALIDATION_MODEL_ZERO_GRAD);
    else
      for (const auto& optimizer : c_.optimizers.optimizers()) optimizer->zero_grad();
  }
  validation_.run(LEVIN_STAGE_VALIDATE, unlimited);
  last_validation_ = std::chrono::steady_clock::now();
}

void TrainingEpochLoop::step_schedules(bool by_step, bool plateau) {
  if (c_.model.manual_optimization() || (by_step && accumulating())) return;
  const int64_t done = (by_step ? c_.at().batch_idx : c_.at().epoch) + 1;
  auto& schedules = c_.optimizers.schedules();
  for (uint32_t i = 0; i < schedules.size(); ++i) {
    ScheduleConfig& s = schedules[i];
    if (s.paused || s.scheduler->needs_metric() != plateau || s.by_step != by_step || done % s.frequency != 0) continue;
    step_schedule(i, s);
  }
}

void TrainingEpochLoop::step_schedule(uint32_t index, ScheduleConfig& s) {
  double value = std::nan("");
  if (s.scheduler->needs_metric() && !c_.log.metric(MetricSet::callback, s.monitor, value)) {
    std::string known;
    for (const auto& [name, v] : c_.log.metrics(MetricSet::callback).items())
      known += (known.empty() ? "" : ", ") + name;
    const std::string text = "scheduler '" + s.scheduler->id() + "' monitors '" + s.monitor +
                             "', which was not logged; logged are: " + (known.empty() ? "nothing" : known);
    if (s.strict) throw Error(ErrorKind::run, text);
    return c_.warn(text);
  }
  const levin_model* table = &c_.model.table();
  if (!LEVIN_HAS(levin_model, table, lr_scheduler_step)) {
    if (s.scheduler->needs_metric())
      s.scheduler->step(value);
    else
      s.scheduler->step();
    return;
  }
  levin_optim_call call{};
  call.size = sizeof call;
  call.run = c_.run;
  call.epoch = c_.at().epoch;
  call.batch_idx = c_.at().batch_idx;
  call.optimizer_idx = s.optimizer;
  call.scheduler_idx = index;
  call.metric = value;
  c_.model.invoke("lr_scheduler_step", [&] { return table->lr_scheduler_step(c_.model.self(), &call); });
}

}  // namespace levin::core
