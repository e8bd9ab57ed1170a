// The rule for when a checkpoint is due. The caller passes the time.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

namespace levin::model_checkpoint {

struct TriggerOptions {  // at most one of the first three; none = every epoch
  std::optional<int64_t> every_n_train_steps, every_n_epochs;
  std::optional<double> train_time_interval;  // seconds
  std::optional<bool> save_on_train_epoch_end;
};

// The validation schedule of the run.
struct ValidationPlan {
  double val_check_interval = 1;             // NaN = a time interval
  double check_val_every_n_epoch = 1;        // 0 or NaN = independent of epochs
  std::function<int64_t()> num_val_batches;  // called only if needed, because it creates the data loaders
};

class Trigger {
 public:
  // Throws Error for options that contradict each other.
  explicit Trigger(const TriggerOptions& options);

  bool by_batch() const { return steps_ > 0 || interval_.has_value(); }
  // since: the seconds of the current interval that have already passed.
  void start(double now, double since = 0) { last_time_ = now - since; }
  double since(double now) const { return interval_ ? now - last_time_ : 0; }
  // Returns true if a checkpoint is due after a batch. global_step: the number of optimizer steps. now: the time of a
  // clock in seconds. When a time interval is due, the next one starts.
  bool due_after_batch(int64_t global_step, double now);
  // Epochs count from 0.
  bool due_after_epoch(int64_t epoch) const { return epochs_ > 0 && (epoch + 1) % epochs_ == 0; }
  // Returns true if an epoch is saved after the training epoch, false if after validation.
  bool saves_on_train_epoch_end(const ValidationPlan& plan) const;

 private:
  int64_t steps_ = 0, epochs_ = 0;
  std::optional<double> interval_;
  std::optional<bool> on_train_epoch_end_;
  double last_time_ = 0;
};

}  // namespace levin::model_checkpoint
