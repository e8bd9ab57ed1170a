// The progress of a run: the counters of its loops, where its fit stands, and the place of the running loop. The loops
// move the counters and the phase by the verbs below; all other code only reads them. The public members are set by the
// loop that runs, and anyone may request a stop. Values that follow from a counter, such as the epoch, the global step
// and the index of a training batch, are not stored.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/progress/stop_request.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// The number of events that were about to begin (ready), have begun (started), are done (processed), and are done
// including their end hooks (completed).
struct Counter {
  int64_t ready = 0, started = 0, processed = 0, completed = 0;
};

// The counters of one kind of event: since the fit began (total), and in the current epoch (current).
struct Progress {
  Counter total, current;
};

// The kinds of events. optimizer_step and zero_grad: of automatic optimization, over all optimizers. val_batch: the
// total restarts with each training epoch.
enum class Counted { epoch, batch, schedule, optimizer_step, zero_grad, manual_step, val_batch };

// Where a fit stands.
enum class FitPhase {
  between_epochs,    // no epoch has begun, or the last one has ended
  beginning_epoch,   // in the hooks of an epoch's start
  in_batches,        // between two batches, or in a batch before its step is done
  after_step,        // the step is done: log the batch's metrics, validate if that is due, then as after_validation
  in_validation,     // in a validation within an epoch, which a resumed run repeats from its start
  after_validation,  // step the schedules that have interval `step` and monitor a metric, then the next batch
  ending_epoch,      // in the end hooks of an epoch; its schedules that monitor a metric are still to be stepped
  closing_epoch,     // as ending_epoch, but there is no schedule to be stepped
  cut_epoch,         // max_steps or a stop ended the epoch before its last batch; until the next epoch begins
};

// How an epoch ended: after its last batch, by a request to skip its rest, or by max_steps or a stop.
enum class EpochEnd { whole, skipped, cut };

// Where the checkpoint of a resumed fit was saved. The default is the position of a new run. cut_epoch: after the end
// hooks of that epoch; its remaining batches are trained if the limits allow more.
struct FoundPosition {
  FitPhase phase = FitPhase::between_epochs;
  bool within_epoch() const;      // the epoch goes on: its start hooks have run
  bool at_epoch_end() const;      // in the end hooks of an epoch: processed, but not yet completed
  bool every_epoch_done() const;  // each epoch that had begun was processed
  // Returns true if the epoch has batches left, or at least its end, even if the fit's limits are reached.
  bool epoch_is_due() const { return within_epoch() && phase != FitPhase::cut_epoch; }
};

// The position of the running loop, which events pass to components.
struct LoopPlace {
  uint32_t stage = LEVIN_STAGE_FIT;
  int64_t dataloader_idx = -1;
  int64_t n_batches = -1;  // of the epoch or of the evaluation's loader; -1 = unknown
  int64_t num_dataloaders = 1;
  int64_t split_idx = -1, num_splits = -1;  // within a batch of truncated back-propagation
  std::optional<int64_t> batch_idx = -1;    // -1 = no batch yet; nullopt = from the training batch counter
};

class RunProgress {
 public:
  LoopPlace place;
  int64_t optimizer_idx = -1;  // of the running training_step, if there are several optimizers; else -1
  uint64_t seed = 0;
  StopRequest stop;

  const Progress& of(Counted what) const { return counters_[static_cast<size_t>(what)]; }
  int64_t current_epoch() const { return of(Counted::epoch).total.completed; }
  // Incremented before the end hooks of an epoch.
  int64_t epochs_processed() const { return of(Counted::epoch).total.processed; }
  int64_t global_step() const {
    return of(Counted::optimizer_step).total.completed + of(Counted::manual_step).total.completed;
  }
  int64_t batch_idx() const { return place.batch_idx.value_or(of(Counted::batch).current.ready - 1); }
  int64_t batches_that_stepped() const { return batches_that_stepped_; }
  bool is_last_batch() const { return is_last_batch_; }
  FitPhase phase() const { return phase_; }
  bool batch_is_open() const;  // the step of a batch is done, and its logging, validation or schedules are not
  bool resumed() const { return resumed_; }                                        // the fit resumes from a checkpoint
  bool begun() const { return of(Counted::batch).total.ready > batches_before_; }  // since the start or resume
  bool epoch_runs() const { return epoch_start_ != Clock::time_point{}; }  // also true in validations between batches
  double train_seconds() const;                                            // time in the batches of all epochs so far

  void begin_stage(uint32_t stage);
  void end_stage(uint32_t stage) { place.stage = stage; }  // an evaluation within it may have failed
  void begin_fit(bool resumes);
  void begin_trial(const RunProgress& run);  // continues the run's counts of epochs and optimizer steps

  // ---- epochs
  void leave_batches() { place.batch_idx = -1; }  // batch_idx() is -1 until the next batch
  void begin_epoch();
  void start_epoch() { raise(Counted::epoch, &Counter::started); }
  void start_clock() { epoch_start_ = Clock::now(); }
  void stop_clock();
  void end_epoch(EpochEnd how);
  void schedules_stepped();  // after end_epoch()
  void complete_epoch();

  // ---- training batches
  // goes_on: continues within an epoch; false = resets the epoch's counters.
  void begin_batches(bool goes_on);
  void reach_batch(bool is_last) { is_last_batch_ = is_last; }
  void begin_batch() { raise(Counted::batch, &Counter::ready); }
  void start_batch() { raise(Counted::batch, &Counter::started); }
  void process_batch();
  void process_last_batch();  // the rest of the epoch is skipped: no step, logging or validation follows
  void complete_batch() { raise(Counted::batch, &Counter::completed); }
  void count_stepped_batch() { ++batches_that_stepped_; }  // or a split of a batch, which counts like one
  void finish_batch() { phase_ = FitPhase::in_batches; }

  // ---- evaluations
  void begin_validation() { phase_ = FitPhase::in_validation; }  // within an epoch
  void end_validation() { phase_ = FitPhase::after_validation; }
  void begin_evaluation();
  void reach_val_batch(bool is_last) { is_last_val_batch_ = is_last; }
  void forget_evaluations();  // as if there had been none in this epoch

  // ---- schedules, optimizer steps, zero_grad and batches of evaluations
  void ready(Counted what) { raise(what, &Counter::ready); }
  void start(Counted what) { raise(what, &Counter::started); }
  void process(Counted what) { raise(what, &Counter::processed); }
  void complete(Counted what) { raise(what, &Counter::completed); }

  // Returns a count by its name in Lightning's checkpoints, such as "epoch_loop.batch_progress.total.ready"; nullopt if
  // there is no such name.
  std::optional<int64_t> count(const std::string& name) const;

  nlohmann::json state_dict() const;
  // A checkpoint saved in the end hooks of an epoch resumes with the next epoch. A checkpoint saved while a batch
  // failed repeats that batch. Throws Error{checkpoint} if a counter is not a count, and nlohmann::json::exception if a
  // member is missing.
  FoundPosition load_state_dict(const nlohmann::json& state);
  // Adapts the position in the epoch after a change of the number of processes: the epoch continues at the same
  // fraction of its rows, rounded to whole batches. Call it only within an epoch. rows_before, rows: the number of rows
  // per batch over all processes, before and now, or numbers in proportion to these; above 0. Throws Error{checkpoint}
  // if the number of batches is out of range.
  void reshard_epoch(int64_t rows_before, int64_t rows);
  // Call it after reshard_epoch() and before the next batch: goes back to the beginning of the accumulation window.
  // window: its number of batches.
  void restart_accumulation(int64_t window);
  // Returns a count of a checkpoint. Throws Error{checkpoint} if the value is none.
  static int64_t count_in(const nlohmann::json& value);
  // Returns true if the checkpoint was saved in the middle of an epoch, or in an epoch that max_steps or a stop ended.
  static bool made_within_epoch(const nlohmann::json& state);

 private:
  using Clock = std::chrono::steady_clock;
  Progress& at(Counted what) { return counters_[static_cast<size_t>(what)]; }
  void raise(Counted what, int64_t Counter::*event);
  void load_counters(const nlohmann::json& progress, int64_t global_step);
  void load_batches(const nlohmann::json& state);
  FitPhase found_phase(const nlohmann::json& state) const;

  std::array<Progress, 7> counters_;
  FitPhase phase_ = FitPhase::between_epochs;
  int64_t batches_that_stepped_ = 0;
  bool is_last_batch_ = false, is_last_val_batch_ = false;
  bool resumed_ = false;
  int64_t batches_before_ = 0;            // training batches when the fit began or resumed
  double seconds_before_ = 0;             // training time before the running epoch
  Clock::time_point epoch_start_{};       // {} = no epoch is running
  std::optional<int64_t> goes_on_after_;  // the number of finished batches of a resharded epoch
};

}  // namespace levin::core
