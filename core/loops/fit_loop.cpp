#include "core/loops/fit_loop.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/components/breadcrumb.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

FitLoop::FitLoop(RunContext& context, EvaluationLoop& validation)
    : c_(context), validation_(validation), epoch_loop_(context, validation) {}

std::optional<int64_t> FitLoop::estimated_stepping_batches(RunContext& c) {
  if (c.plan.accumulate_grad_batches.size() > 1) return std::nullopt;
  const int64_t batches = c.loaders.total_batches(LEVIN_TRAIN);
  return core::estimated_stepping_batches(batches == unlimited ? std::nullopt : std::optional<int64_t>(batches),
                                          c.progress.accumulate_grad_batches, c.plan.max_epochs, c.plan.max_steps);
}

bool FitLoop::done() { return fit_is_done(c_.plan, c_.stop_question()); }

void FitLoop::run() {
  c_.loaders.set_epoch(c_.at().epoch);
  // As in Lightning, such an epoch counts as completed once the training data is there.
  const int64_t unfinished = std::exchange(c_.progress.resumed_at_epoch_end, false) ? 1 : 0;
  c_.at().epoch -= unfinished;
  const bool no_batches = c_.loaders.total_batches(LEVIN_TRAIN) == 0;
  c_.at().epoch += unfinished;
  if (const int64_t n = c_.loaders.total_batches(LEVIN_TRAIN); n > 0 && c_.plan.fast_dev_run == 0 && c_.log.outlasts(n))
    c_.warn("an epoch has " + std::to_string(n) + " training batches, fewer than trainer.log_every_n_steps=" +
            std::to_string(c_.plan.log_every_n_steps) + ": set it lower to see the training metrics of every epoch");
  if (no_batches) c_.warn("nothing is trained: there are no training batches");
  if (c_.progress.epoch_schedules_pending) {  // resumed from a checkpoint of an epoch's end
    --c_.at().epoch;
    step_pending_schedules();
    ++c_.at().epoch;
  }
  if (no_batches || done()) return;
  warn_of_val_check();
  if (validation_.enabled() && validates_in_epoch(c_.plan, c_.at().epoch)) c_.loaders.get(LEVIN_VAL);
  c_.model.mode(true);
  c_.hooks.fire(LEVIN_HOOK_TRAIN_START);
  while (!done()) {
    reload_if_due();
    advance();
    end_epoch();
  }
  c_.hooks.fire(LEVIN_HOOK_TRAIN_END);
}

void FitLoop::warn_of_val_check() {
  const int64_t batches = c_.loaders.total_batches(LEVIN_TRAIN);
  if (batches == unlimited || !validation_.enabled()) return;
  const std::string remark = val_check_remark(c_.plan, batches);
  if (!remark.empty()) c_.warn(remark);
}

void FitLoop::reload_if_due() {
  c_.loaders.set_epoch(c_.at().epoch);
  const int64_t every = c_.plan.reload_dataloaders_every_n_epochs;
  if (every == 0 || c_.at().epoch - c_.loaders.made_in_epoch(LEVIN_TRAIN) < every) return;
  c_.loaders.reload(LEVIN_TRAIN);
}

// Windows of several batches and these cannot be counted together.
void FitLoop::check_window() const {
  if (c_.progress.accumulate_grad_batches == 1 || c_.model.manual_optimization()) return;
  const char* with = c_.plan.truncated_bptt_steps > 0 ? "trainer.truncated_bptt_steps" : nullptr;
  for (const int64_t f : c_.optimizers.frequencies())
    if (f > 0) with = "frequencies of optimizers";
  if (with)
    throw Error(ErrorKind::usage, std::string("trainer.accumulate_grad_batches does not work with ") + with +
                                      ": batches of several turns would end up in one step; leave it at 1");
}

void FitLoop::advance() {
  c_.at().batch_idx = -1;
  c_.at().n_batches = c_.loaders.total_batches(LEVIN_TRAIN);
  if (const auto& schedule = c_.plan.accumulate_grad_batches; schedule.size() > 1)
    c_.progress.accumulate_grad_batches = window_at(schedule, c_.at().epoch).value_or(1);
  c_.progress.epoch.raise(&Counter::ready);
  if (!c_.progress.within_epoch) {  // else it has been told of before the checkpoint
    c_.hooks.fire(LEVIN_HOOK_EPOCH_START);
    c_.hooks.fire(LEVIN_HOOK_TRAIN_EPOCH_START);
  }
  c_.progress.epoch.raise(&Counter::started);
  check_window();
  c_.progress.epoch_start = std::chrono::steady_clock::now();
  const CallScope action("run_training_epoch");
  epoch_loop_.run(c_.loaders.total_batches(LEVIN_TRAIN));  // hooks may have changed the batches
  c_.progress.train_seconds = c_.progress.seconds();
  c_.progress.epoch_start = {};
}

void FitLoop::step_pending_schedules() {
  if (c_.progress.epoch_schedules_pending) epoch_loop_.step_schedules(false, true);
  c_.progress.epoch_schedules_pending = false;
}

void FitLoop::end_epoch() {
  c_.log.reach_end();
  c_.progress.epoch.raise(&Counter::processed);
  c_.progress.epoch_schedules_pending = epoch_loop_.reached_all_batches();
  c_.progress.epoch_cut = !epoch_loop_.reached_all_batches() && !c_.progress.skip_epoch;
  {
    const Dispatcher::OriginScope scope(c_.hooks, LEVIN_HOOK_TRAIN_EPOCH_END);
    epoch_loop_.outputs().deliver(c_.model, c_.run);
  }
  c_.hooks.train_epoch_end();
  c_.hooks.fire(LEVIN_HOOK_EPOCH_END);
  step_pending_schedules();
  c_.log.log_train_epoch(c_.axis());
  ++c_.at().epoch;
  c_.progress.epoch.raise(&Counter::completed);
}

}  // namespace levin::core
