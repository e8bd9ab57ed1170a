// When a fit and its epochs end: Lightning's rules, as pure functions.
#pragma once
#include <cstdint>
#include <optional>

#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

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

bool reached_all_batches(const StopInputs& in);

struct EpochDecision {
  bool done;
  bool minimum_not_met;  // a stop was requested, but training continues because of min_epochs or min_steps
};
EpochDecision epoch_is_done(const RunPlan& plan, const StopInputs& in);

}  // namespace levin::core
