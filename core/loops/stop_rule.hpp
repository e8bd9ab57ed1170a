// When a fit and its epochs end: Lightning's rules, as pure functions.
#pragma once
#include <cstdint>
#include <optional>

#include "core/config/run_plan.hpp"

namespace levin::core {

struct StopInputs {
  int64_t epochs_processed = 0;
  int64_t global_step = 0;           // optimizer steps done
  bool stop_asked = false;           // somebody asked to stop
  int64_t batches_done = 0;          // of the epoch
  std::optional<int64_t> batches{};  // of the epoch; nullopt: unknown
  bool data_ended = false;           // the last batch of the epoch was handed out
  bool skip_epoch = false;           // somebody asked to leave the epoch
};

// min_epochs and min_steps are reached.
bool can_stop_early(const RunPlan& plan, const StopInputs& in);

bool fit_is_done(const RunPlan& plan, const StopInputs& in);

bool reached_all_batches(const StopInputs& in);

struct EpochDecision {
  bool done;
  bool minimum_not_met;  // a stop was asked for, and training goes on because of min_epochs or min_steps
};
EpochDecision epoch_is_done(const RunPlan& plan, const StopInputs& in);

}  // namespace levin::core
