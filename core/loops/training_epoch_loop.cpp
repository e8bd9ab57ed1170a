#include "core/loops/training_epoch_loop.hpp"

#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/components/breadcrumb.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

namespace {

BatchGroup* next_of(BatchFeed& feed) {
  const CallScope action("train_dataloader_next");
  return feed.next();
}

}  // namespace

TrainingEpochLoop::TrainingEpochLoop(RunContext& context, EvaluationLoop& validation)
    : c_(context), validation_(validation), steps_(context), parts_(context) {}

StopQuestion TrainingEpochLoop::question() const {
  StopQuestion q = c_.stop_question();
  q.batches_done = c_.progress.batch.current.ready;
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

void TrainingEpochLoop::run(int64_t batches) {
  batches_ = batches;
  const std::optional<int64_t> known = batches == unlimited ? std::nullopt : std::optional<int64_t>(batches);
  // A count is compared with the epoch only where it matters.
  const bool counts = c_.plan.val_check_interval.fraction || validation_.enabled();
  check_batch_ = counts ? val_check_batch(c_.plan, known) : std::nullopt;
  c_.at().n_batches = batches;
  c_.progress.begin_epoch();
  stepped_ = true;
  steps_.begin_epoch();
  auto& loaders = c_.loaders.get(LEVIN_TRAIN);
  if (c_.progress.tail != BatchTail::none) finish_resumed_batch();
  BatchFeed feed(loaders, c_.loaders.mode(LEVIN_TRAIN), c_.loaders.limits(LEVIN_TRAIN));
  feed.begin_epoch(c_.at().epoch, c_.progress.batch.current.ready, batches);
  while (!done()) {
    BatchGroup* group = next_of(feed);
    if (!group) break;
    c_.progress.is_last_batch = feed.done();
    if (!group->together) c_.at().dataloader_idx = group->dataloader_idx;
    parts_.take(*group, loaders);
    const bool goes_on = advance();
    c_.at().dataloader_idx = -1;
    if (!goes_on) break;
    validate_if_due();
    after_validation();
  }
}

void TrainingEpochLoop::after_validation() {
  step_schedules(true, true);
  if (!accumulating()) ++c_.progress.batches_that_stepped;
  c_.progress.tail = BatchTail::none;
  if (c_.end_batch) c_.end_batch();
}

void TrainingEpochLoop::finish_resumed_batch() {
  const Counter& b = c_.progress.batch.current;
  c_.at().batch_idx = b.ready - 1;
  steps_.take_turns(c_.at().batch_idx);
  stepped_ = steps_on_this_batch();
  if (b.completed < b.ready) complete_batch();
  if (c_.progress.tail == BatchTail::logging) validate_if_due();
  after_validation();
}

void TrainingEpochLoop::complete_batch() {
  c_.progress.batch.raise(&Counter::completed);
  log_step_metrics();
}

bool TrainingEpochLoop::advance() {
  Progress& progress = c_.progress.batch;
  c_.at().batch_idx = progress.current.ready;
  progress.raise(&Counter::ready);
  c_.log.train().set_batch(parts_.first().rows(), -1);
  stepped_ = false;
  const auto with_batch = [&](levin_event& e) { parts_.show(e); };
  c_.hooks.fire(LEVIN_HOOK_BATCH_START, with_batch);
  const levin_status answer = c_.hooks.fire(LEVIN_HOOK_TRAIN_BATCH_START, with_batch);
  if (answer == LEVIN_SKIP_EPOCH) {  // this is the last batch then, and it closes its window
    c_.progress.is_last_batch = true;
    progress.raise(&Counter::processed);
    steps_.take_turns(c_.at().batch_idx);
    stepped_ = steps_on_this_batch();
    step_schedules(true, false);
    step_schedules(false, false);
    return false;
  }
  progress.raise(&Counter::started);
  if (answer == LEVIN_SKIP) {
    progress.raise(&Counter::processed), progress.raise(&Counter::completed);
    if (reached_all_batches()) step_schedules(false, false);
    c_.progress.tail = BatchTail::logging;
    return true;
  }
  run_steps();
  progress.raise(&Counter::processed);
  c_.progress.window_open = !stepped_;
  c_.progress.tail = BatchTail::logging;
  step_schedules(true, false);
  if (reached_all_batches()) step_schedules(false, false);
  fire_batch_end();
  c_.hooks.fire(LEVIN_HOOK_BATCH_END, with_batch);
  complete_batch();
  return true;
}

bool TrainingEpochLoop::steps_on_this_batch() const {
  return c_.model.manual_optimization() ||
         window_ends(c_.at().batch_idx, c_.progress.accumulate_grad_batches, reached_all_batches());
}

void TrainingEpochLoop::run_steps() {
  const int64_t window = c_.progress.accumulate_grad_batches, index = c_.at().batch_idx;
  stepped_ = steps_on_this_batch();
  const double factor = stepped_ && c_.plan.accumulate_exact ? short_window_factor(index, window) : 1.0;
  const CallScope action("run_training_batch");
  steps_.run(parts_, {window_starts(index, window), stepped_, window, factor});
}

void TrainingEpochLoop::fire_batch_end() {
  StepOutputs& outputs = steps_.outputs();
  c_.hooks.fire(LEVIN_HOOK_TRAIN_BATCH_END, [&](levin_event& e) {
    parts_.show(e);
    const auto& view = outputs.view();
    e.outputs = view.data();
    e.n_outputs = view.size();
    e.loss = view.empty() ? nullptr : view.front().tensor;
  });
  outputs.clear();
}

void TrainingEpochLoop::log_step_metrics() {
  if (accumulating()) return;
  if (c_.log.due(c_.progress.batches_that_stepped, c_.stop.asked()) || c_.plan.fast_dev_run > 0)
    c_.log.log_train_step(c_.axis());
  if (flushes_logs(c_.plan.flush_logs_every_n_steps, c_.at().global_step - 1, c_.stop.asked())) c_.log.flush();
}

void TrainingEpochLoop::validate_if_due() {
  ValQuestion q;
  q.epoch = c_.at().epoch;
  q.batch_idx = c_.at().batch_idx;
  q.total_batch_idx = c_.progress.batch.total.ready - 1;
  q.is_last_batch = reached_all_batches();
  q.stopping = c_.stop.asked() && c_.can_stop_early();
  if (!c_.plan.limit_train.fraction) q.limit_train = static_cast<int64_t>(c_.plan.limit_train.value);
  const auto now = std::chrono::steady_clock::now();
  q.seconds_since_last = std::chrono::duration<double>(now - last_validation_).count();
  if (!validates_now(c_.plan, check_batch_, q) || !validation_.enabled()) return;
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
    if (by_step && !steps_.active(s.optimizer)) continue;
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
  c_.progress.schedule.raise(&Counter::ready);
  step_with_override(index, s, value);
  c_.progress.schedule.raise(&Counter::completed);
}

void TrainingEpochLoop::step_with_override(uint32_t index, ScheduleConfig& s, double value) {
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
