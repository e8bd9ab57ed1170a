#include "core/loops/optimization/accumulation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace levin::core {

std::optional<int64_t> window_at(const AccumulationSchedule& schedule, int64_t epoch) {
  const auto next = schedule.upper_bound(epoch);
  if (next == schedule.begin()) return std::nullopt;
  return std::prev(next)->second;
}

AccumulationWindow accumulation_window(int64_t batch_idx, int64_t size, bool is_last_batch, bool exact) {
  const int64_t place = batch_idx % size;
  const bool ends = place + 1 == size || is_last_batch;
  const double factor = ends && exact ? static_cast<double>(size) / static_cast<double>(place + 1) : 1.0;
  return {place == 0, ends, size, factor};
}

nlohmann::json Accumulation::state_dict() const { return {{"window_open", open_}, {"ends_window", steps_}}; }

void Accumulation::load_state_dict(const nlohmann::json& state) {
  open_ = state.value("window_open", false);
  steps_ = state.value("ends_window", !open_);
}

std::optional<int64_t> estimated_stepping_batches(std::optional<int64_t> batches, int64_t window, int64_t max_epochs,
                                                  int64_t max_steps) {
  if (!batches || max_epochs < 0) return max_steps >= 0 ? std::optional<int64_t>(max_steps) : std::nullopt;
  const int64_t total = (*batches + window - 1) / window * max_epochs;
  return max_steps >= 0 ? std::min(total, max_steps) : total;
}

}  // namespace levin::core
