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

// Every epoch begins a window, and its last batch ends one.
inline bool window_starts(int64_t batch_idx, int64_t window) { return batch_idx % window == 0; }
inline bool window_ends(int64_t batch_idx, int64_t window, bool is_last_batch) {
  return (batch_idx + 1) % window == 0 || is_last_batch;
}
// What the sum of a window's gradients, each divided by `window`, is multiplied by so that it is their mean. 1 but for
// the short window at the end of an epoch.
inline double short_window_factor(int64_t last_batch_idx, int64_t window) {
  return static_cast<double>(window) / static_cast<double>(last_batch_idx % window + 1);
}

// Optimizer steps of a fit: max_epochs times the windows of an epoch, but at most max_steps (-1: no end); nullopt:
// not bounded. batches: of an epoch; nullopt: unknown.
std::optional<int64_t> estimated_stepping_batches(std::optional<int64_t> batches, int64_t window, int64_t max_epochs,
                                                  int64_t max_steps);

}  // namespace levin::core
