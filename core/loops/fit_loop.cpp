#include "core/loops/fit_loop.hpp"

#include "core/base/error.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

FitLoop::FitLoop(RunContext& context, EvaluationLoop& validation)
    : c_(context), validation_(validation), epoch_loop_(context, validation) {}

int64_t FitLoop::estimated_stepping_batches(RunContext& c) {
  const int64_t batches = c.loaders.total_batches(LEVIN_TRAIN);
  if (batches == unlimited || c.plan.max_epochs < 0) return c.plan.max_steps > 0 ? c.plan.max_steps : 0;
  const int64_t window = c.plan.accumulate_grad_batches;
  const int64_t total = (batches + window - 1) / window * c.plan.max_epochs;
  return c.plan.max_steps >= 0 ? std::min(total, c.plan.max_steps) : total;
}

bool FitLoop::done() { return fit_is_done(c_.plan, c_.stop_question()); }

void FitLoop::run() {
  if (!c_.plan.limit_train.off() && c_.loaders.get(LEVIN_TRAIN).empty())
    throw Error(ErrorKind::data, c_.data.plugin() + " has no training data");
  batches_ = c_.loaders.total_batches(LEVIN_TRAIN);
  loaded_at_ = c_.at().epoch;
  if (batches_ == 0) c_.warn("nothing is trained: there are no training batches");
  if (c_.progress.epoch_schedules_pending) {  // resumed from a checkpoint of an epoch's end
    --c_.at().epoch;
    step_pending_schedules();
    ++c_.at().epoch;
  }
  if (batches_ == 0 || done()) return;
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

void FitLoop::reload_if_due() {
  const int64_t every = c_.plan.reload_dataloaders_every_n_epochs;
  if (every == 0 || c_.at().epoch - loaded_at_ < every) return;
  c_.loaders.reload(LEVIN_TRAIN);
  c_.loaders.reload(LEVIN_VAL);
  batches_ = c_.loaders.total_batches(LEVIN_TRAIN);
  loaded_at_ = c_.at().epoch;
}

void FitLoop::advance() {
  c_.at().batch_idx = -1;
  c_.at().n_batches = batches_;
  c_.hooks.fire(LEVIN_HOOK_TRAIN_EPOCH_START);
  c_.progress.epoch_start = std::chrono::steady_clock::now();
  epoch_loop_.run(*c_.loaders.get(LEVIN_TRAIN).front(), batches_);
  c_.progress.train_seconds = c_.progress.seconds();
  c_.progress.epoch_start = {};
}

void FitLoop::step_pending_schedules() {
  if (c_.progress.epoch_schedules_pending) epoch_loop_.step_schedules(false, true);
  c_.progress.epoch_schedules_pending = false;
}

void FitLoop::end_epoch() {
  c_.log.reach_end();
  ++c_.progress.epochs_processed;
  c_.progress.epoch_schedules_pending = epoch_loop_.reached_all_batches();
  c_.hooks.train_epoch_end();
  step_pending_schedules();
  c_.log.log_train_epoch(c_.axis());
  ++c_.at().epoch;
  c_.progress.batch.reset();
  c_.progress.is_last_batch = false;
}

}  // namespace levin::core
