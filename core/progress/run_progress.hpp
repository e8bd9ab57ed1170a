// The progress of a run: its counters and its position in the loops. Changed by the loops and the schedule stepper.
// Services may request a stop, skip the epoch or change the accumulation; all other code only reads it. Values that
// follow from a counter, such as the epoch, the global step and the index of a training batch, are not stored.
#pragma once
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/progress/progress_counter.hpp"
#include "core/progress/stop_request.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// The remaining work for a training batch after its step. A resumed fit continues at the point at which the checkpoint
// was saved.
enum class ResumePoint {
  next_batch,  // none: the next batch begins
  logging,     // log the batch's metrics, validate if that is due, then step the schedules as below
  schedules,   // validation is done: step the schedules that have interval `step` and monitor a metric
};

// The position of the running loop, which events pass to components.
struct LoopPlace {
  uint32_t stage = LEVIN_STAGE_FIT;
  int64_t dataloader_idx = -1;
  int64_t n_batches = -1;  // of the epoch or of the evaluation's loader; -1 = unknown
  int64_t num_dataloaders = 1;
  int64_t split_idx = -1, num_splits = -1;  // within a batch of truncated back-propagation
  std::optional<int64_t> batch_idx;         // of an evaluation or prediction; nullopt = from the training batch counter
};

class RunProgress {
 public:
  // ---- the counters, with Lightning's names
  Progress epoch, batch, schedule;
  OptimProgress optim;                    // of automatic optimization
  Progress manual_step;                   // optimizer steps of manual optimization
  Progress val_batch;                     // batches of validations; the total restarts with each training epoch
  std::vector<int64_t> val_batches_seen;  // of each loader, in all finished validations: the x axis of step metrics
  int64_t batches_that_stepped = 0;
  int64_t accumulate_grad_batches = 1;  // the current number of batches per accumulation window

  // ---- where the run is
  LoopPlace place;
  int64_t optimizer_idx = -1;  // of the running training_step, if there are several optimizers; else -1
  uint64_t seed = 0;
  bool is_last_batch = false, is_last_val_batch = false;
  bool validating = false;               // a validation of a fit is running; a resumed run repeats it from its start
  bool skip_epoch = false;               // skip the rest of the epoch after this batch
  bool wants_skip_epoch = false;         // this process requests skip_epoch; the processes have not agreed on it yet
  bool sent_skip_epoch = false;          // the request has been sent; the other processes get it after the next batch
  bool window_open = false;              // gradients of an unfinished accumulation window exist
  bool ends_window = true;               // false = no optimizer step in the current batch, or the batch was skipped
  bool epoch_interrupted = false;        // max_steps or a stop ended the epoch before its last batch
  bool epoch_schedules_pending = false;  // the epoch has ended; schedules that monitor a metric have not stepped
  StopRequest stop;

  // ---- the position at which the fit's checkpoint was saved
  bool resumed = false;                 // the fit resumes from a checkpoint
  bool begun = false;                   // the first batch since the start or resume has begun
  bool within_epoch = false;            // saved in the middle of an epoch
  bool epoch_to_end = false;            // that epoch has batches left, or at least its end
  bool resumed_between_epochs = false;  // saved when every started epoch was finished
  bool resumed_at_epoch_end = false;    // saved in the end hooks of an epoch: processed, but not yet completed
  bool validation_cut = false;          // saved in a validation, which is repeated
  ResumePoint resume_point = ResumePoint::next_batch;

  int64_t current_epoch() const { return epoch.total.completed; }
  int64_t epochs_processed() const { return epoch.total.processed; }  // incremented before the end hooks of an epoch
  int64_t global_step() const { return optim.step.total.completed + manual_step.total.completed; }
  int64_t batch_idx() const { return place.batch_idx.value_or(in_batches_ ? batch.current.ready - 1 : -1); }
  bool epoch_runs() const { return epoch_start_ != Clock::time_point{}; }  // also true in validations between batches
  double train_seconds() const;                                            // time in the batches of all epochs so far

  void begin_stage(uint32_t stage);
  void leave_batches() { in_batches_ = false; }  // a new epoch begins: batch_idx() is -1 until its first batch
  void begin_batches();                          // resets the epoch's counters, unless the fit resumed within the epoch
  void start_clock() { epoch_start_ = Clock::now(); }
  void stop_clock();
  void forget_clock() { epoch_start_ = {}; }  // drops the time of an epoch that failed
  // If the fit resumed at the end of an epoch, counts that epoch as completed. Call it after the loaders have been
  // created, because they need the old epoch number.
  void complete_resumed_epoch();

  // Returns a count by its name in Lightning's checkpoints, such as "epoch_loop.batch_progress.total.ready"; nullopt if
  // there is no such name.
  std::optional<int64_t> count(const std::string& name) const;

  nlohmann::json state_dict() const;
  // A checkpoint saved in the end hooks of an epoch resumes with the next epoch. A checkpoint saved while a batch
  // failed repeats that batch. Throws Error{checkpoint} if a counter is not a count, and nlohmann::json::exception if a
  // member is missing.
  void load_state_dict(const nlohmann::json& state);
  // Adapts the position in the epoch after a change of the number of processes: the epoch continues at the same
  // fraction of its rows, rounded to whole batches. An open accumulation window is dropped, because its gradients
  // belong to the old distribution of rows. rows_before, rows: the number of rows per batch over all processes, before
  // and now, or numbers in proportion to these; above 0. Throws Error{checkpoint} if the number of batches is out of
  // range.
  void reshard_epoch(int64_t rows_before, int64_t rows);
  // Call it after reshard_epoch() and before the next batch: goes back to the beginning of the accumulation window.
  void restart_accumulation();
  // Returns true if the checkpoint was saved in the middle of an epoch, or in an epoch that max_steps or a stop ended.
  static bool made_within_epoch(const nlohmann::json& state);

 private:
  void load_counters(const nlohmann::json& progress, int64_t global_step);
  void load_validations(const nlohmann::json& state);
  void check_batches() const;
  using Clock = std::chrono::steady_clock;
  double seconds_before_ = 0;             // training time before the running epoch
  Clock::time_point epoch_start_{};       // {} = no epoch is running
  bool in_batches_ = false;               // batch_idx() comes from the training batch counter
  std::optional<int64_t> goes_on_after_;  // the number of finished batches of a resharded epoch
};

}  // namespace levin::core
