// Windows of gradient accumulation: Lightning's rules, as pure functions.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace levin::core {

// Batches in a window by the epoch (0-based) from which the number holds.
using AccumulationSchedule = std::map<int64_t, int64_t>;

// nullopt: the schedule says nothing of this epoch or those before it.
std::optional<int64_t> window_at(const AccumulationSchedule& schedule, int64_t epoch);

// What a batch does in its window: the gradients of `size` batches are summed, each divided by `size`, before a step.
struct AccumulationWindow {
  bool starts;    // gradients are set to zero first
  bool ends;      // an optimizer step follows
  int64_t size;   // batches in a window
  double factor;  // of the gradients before the step: 1, or what makes a short last window's sum their mean
};

// Every epoch begins a window, and its last batch ends one. exact: a window that the end of the epoch cut short counts
// as its own number of batches instead of `size`.
AccumulationWindow accumulation_window(int64_t batch_idx, int64_t size, bool is_last_batch, bool exact);

// Optimizer steps of a fit: max_epochs times the windows of an epoch, but at most max_steps (-1: no end); nullopt:
// not bounded. batches: of an epoch; nullopt: unknown.
std::optional<int64_t> estimated_stepping_batches(std::optional<int64_t> batches, int64_t window, int64_t max_epochs,
                                                  int64_t max_steps);

}  // namespace levin::core
