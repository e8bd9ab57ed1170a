// When a checkpoint is due. Values: no clock of its own, no trainer.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

namespace levin::model_checkpoint {

struct TriggerOptions {  // at most one of the first three; none: every epoch
  std::optional<int64_t> every_n_train_steps, every_n_epochs;
  std::optional<double> train_time_interval;  // seconds
  std::optional<bool> save_on_train_epoch_end;
};

// How this run validates.
struct ValidationPlan {
  double val_check_interval = 1;             // NaN: by time
  double check_val_every_n_epoch = 1;        // 0 or NaN: none
  std::function<int64_t()> num_val_batches;  // asked only where it counts: the answer makes the loaders
};

class Trigger {
 public:
  // Throws Error for a combination that has no meaning.
  explicit Trigger(const TriggerOptions& options);

  bool by_batch() const { return steps_ > 0 || interval_.has_value(); }
  void start(double now) { last_time_ = now; }
  // After a batch, with the optimizer steps done and a clock's seconds. An interval that is due starts anew.
  bool due_after_batch(int64_t global_step, double now);
  // epoch is 0-based.
  bool due_after_epoch(int64_t epoch) const { return epochs_ > 0 && (epoch + 1) % epochs_ == 0; }
  // True: epochs are saved after the training epoch; false: after validation.
  bool saves_on_train_epoch_end(const ValidationPlan& plan) const;

 private:
  int64_t steps_ = 0, epochs_ = 0;
  std::optional<double> interval_;
  std::optional<bool> on_train_epoch_end_;
  double last_time_ = 0;
};

}  // namespace levin::model_checkpoint
