#include "trigger.hpp"

#include <string>

#include "levin/error.hpp"

namespace levin::model_checkpoint {

Trigger::Trigger(const TriggerOptions& o)
    : steps_(o.every_n_train_steps.value_or(0)),
      epochs_(o.every_n_epochs.value_or(0)),
      interval_(o.train_time_interval),
      on_train_epoch_end_(o.save_on_train_epoch_end) {
  if (steps_ < 0)
    throw Error(LEVIN_E_INVALID, "every_n_train_steps is " + std::to_string(steps_) + ": it has to be 0 or more");
  if (epochs_ < 0)
    throw Error(LEVIN_E_INVALID, "every_n_epochs is " + std::to_string(epochs_) + ": it has to be 0 or more");
  if ((steps_ > 0) + (epochs_ > 0) + interval_.has_value() > 1)
    throw Error(LEVIN_E_INVALID,
                "every_n_train_steps, every_n_epochs and train_time_interval exclude each other: keep one");
  if (!o.every_n_train_steps && !o.every_n_epochs && !interval_) epochs_ = 1;
}

bool Trigger::due_after_batch(int64_t global_step, double now) {
  const bool by_steps = steps_ > 0 && global_step % steps_ == 0;
  const bool by_time = interval_ && now - last_time_ >= *interval_;
  if (by_time) last_time_ = now;
  return by_steps || by_time;
}

bool Trigger::saves_on_train_epoch_end(const ValidationPlan& plan) const {
  if (on_train_epoch_end_) return *on_train_epoch_end_;
  if (plan.val_check_interval != plan.val_check_interval) return false;
  if (plan.check_val_every_n_epoch != 1) return false;
  return plan.num_val_batches() == 0 || plan.val_check_interval == 1;
}

}  // namespace levin::model_checkpoint
