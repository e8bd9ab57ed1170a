// When a fit validates, and when it and its epochs end: Lightning's rules, as pure functions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

// Returns the number of batches from one validation to the next. Returns nullopt if val_check_interval is a time, or if
// the length of the epoch is unknown; then validation runs when the data ends. Throws Error{usage} if the interval is
// 0, longer than the epoch, or a fraction other than 1.0 of an unknown length.
std::optional<int64_t> val_check_batch(const RunPlan& plan, std::optional<int64_t> batches_per_epoch);

// Returns a warning if val_check_interval is a fraction that does not give a whole number of batches, else "".
std::string val_check_remark(const RunPlan& plan, int64_t batches_per_epoch);

// epoch: the number of completed epochs.
bool validates_in_epoch(const RunPlan& plan, int64_t epoch);

struct ValidationInputs {
  int64_t epoch = 0;            // completed epochs
  int64_t batch_idx = 0;        // in the epoch
  int64_t total_batch_idx = 0;  // over all epochs
  bool is_last_batch = false;
  bool stopping = false;               // a stop was requested, and min_epochs and min_steps are reached
  double seconds_since_last = 0;       // since the last validation
  std::optional<int64_t> limit_train;  // limit_train_batches if it is a number of batches
};

// Returns true if validation runs after the current batch. check_batch: the result of val_check_batch().
bool validates_now(const RunPlan& plan, std::optional<int64_t> check_batch, const ValidationInputs& in);

struct StopInputs {
  int64_t epochs_processed = 0;
  int64_t global_step = 0;           // optimizer steps done
  bool stop_asked = false;           // a stop was requested
  int64_t batches_done = 0;          // in this epoch
  std::optional<int64_t> batches{};  // length of the epoch; nullopt = unknown
  bool data_ended = false;           // the loaders have provided the last batch of the epoch
  bool skip_epoch = false;           // the rest of the epoch is to be skipped
};

// Returns true if min_epochs and min_steps are reached.
bool can_stop_early(const RunPlan& plan, const StopInputs& in);

bool fit_is_done(const RunPlan& plan, const StopInputs& in);

// Returns true if max_epochs allows the epoch with this index.
bool epoch_is_allowed(const RunPlan& plan, int64_t epoch);

bool reached_all_batches(const StopInputs& in);

struct EpochDecision {
  bool done;
  bool minimum_not_met;  // a stop was requested, but training continues because of min_epochs or min_steps
};
EpochDecision epoch_is_done(const RunPlan& plan, const StopInputs& in);

}  // namespace levin::core
