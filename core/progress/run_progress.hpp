// Where a run is: its counters and its place in the loops. The loops and the schedule stepper move them; services may
// ask for a stop, skip the epoch or change the accumulation, and everything else only reads. What can be derived from a
// counter, such as the epoch, the optimizer steps and the index of a training batch, is not kept beside it.
#pragma once
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/progress/progress_counter.hpp"
#include "core/progress/stop_request.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// What a training batch still needs after its step. A checkpoint can be made in between, and a resumed fit goes on
// from here.
enum class ResumePoint {
  next_batch,  // nothing: the next batch begins
  logging,     // its metrics are logged, then comes a validation that is due, and what follows it
  schedules,   // its validation is done: schedules that go by steps and monitor a metric are stepped
};

// The place of the loop that runs, as events tell it.
struct LoopPlace {
  uint32_t stage = LEVIN_STAGE_FIT;
  int64_t dataloader_idx = -1;
  int64_t n_batches = -1;  // of the epoch or of the evaluation's loader; -1: not known
  int64_t num_dataloaders = 1;
  std::optional<int64_t> batch_idx;  // of an evaluation or prediction; a training batch is counted instead
};

class RunProgress {
 public:
  // ---- the counters, under Lightning's names
  Progress epoch, batch, schedule;
  OptimProgress optim;   // of automatic optimization
  Progress manual_step;  // optimizer steps of manual optimization
  Progress val_batch;    // of validations; the total starts anew with each training epoch
  int64_t batches_that_stepped = 0;
  int64_t accumulate_grad_batches = 1;  // batches in a window of accumulation, at present

  // ---- where the run is
  LoopPlace place;
  int64_t optimizer_idx = -1;  // of the training step that runs, where there are several optimizers
  uint64_t seed = 0;
  bool is_last_batch = false, is_last_val_batch = false;
  bool skip_epoch = false;               // somebody asked to leave the epoch after this batch
  bool window_open = false;              // gradients are being accumulated
  bool epoch_interrupted = false;        // a limit of the run ended the epoch before its batches did
  bool epoch_schedules_pending = false;  // the end of the epoch has been told of, but schedules that monitor wait
  StopRequest stop;

  // ---- where a resumed fit goes on
  bool within_epoch = false;            // in the middle of an epoch
  bool resumed_between_epochs = false;  // every epoch that had begun was over
  bool resumed_at_epoch_end = false;    // in an epoch's end: its last hooks had been called, but it was not completed
  ResumePoint resume_point = ResumePoint::next_batch;

  int64_t current_epoch() const { return epoch.total.completed; }
  int64_t epochs_processed() const { return epoch.total.processed; }  // raised before the hooks of an epoch's end
  int64_t global_step() const { return optim.step.total.completed + manual_step.total.completed; }
  int64_t batch_idx() const { return place.batch_idx.value_or(in_batches_ ? batch.current.ready - 1 : -1); }
  bool epoch_runs() const { return epoch_start_ != Clock::time_point{}; }  // its batches, validations in between too
  double train_seconds() const;                                            // in the batches of all epochs so far

  void begin_stage(uint32_t stage);
  void leave_batches() { in_batches_ = false; }  // the epoch that begins has no batch yet
  void begin_batches();                          // counters of the epoch start anew, unless it was resumed within one
  void start_clock() { epoch_start_ = Clock::now(); }
  void stop_clock();
  void forget_clock() { epoch_start_ = {}; }  // of an epoch that a failure ended
  // Counts an epoch that was resumed at its end as completed. Call it once the loaders exist, because they are made
  // under the old number.
  void complete_resumed_epoch();

  // A count by its name in Lightning's checkpoints, "epoch_loop.batch_progress.total.ready"; nullopt: no such name.
  std::optional<int64_t> count(const std::string& name) const;

  // What a checkpoint keeps of it.
  nlohmann::json state_dict() const;
  // A checkpoint made in an epoch's end goes on with the next epoch; one made while a batch failed does that batch
  // again. Throws Error{checkpoint} for a counter that is no count, and nlohmann::json::exception where something is
  // missing.
  void load_state_dict(const nlohmann::json& state);
  // Whether the fit resumes in the middle of an epoch; also true for an epoch that max_steps or a stop ended early.
  static bool made_within_epoch(const nlohmann::json& state);

 private:
  void load_counters(const nlohmann::json& progress, int64_t global_step);
  using Clock = std::chrono::steady_clock;
  double seconds_before_ = 0;        // of the epochs whose batches have ended
  Clock::time_point epoch_start_{};  // while the batches of an epoch run
  bool in_batches_ = false;          // batch_idx is that of the counter
};

}  // namespace levin::core
