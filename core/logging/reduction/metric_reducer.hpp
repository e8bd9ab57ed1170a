// Reduces the metrics that a run's processes have logged. All processes call the same functions at the same points,
// whatever each of them has logged.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/distributed/process_group.hpp"
#include "core/logging/metrics/metric_store.hpp"
#include "core/logging/reduction/metric_share.hpp"
#include "core/logging/reduction/step_reduction.hpp"

namespace levin::core {

class MetricReducer {
 public:
  explicit MetricReducer(ProcessGroup& group) : group_(group), steps_(group) {}
  bool is_first() const { return group_.rank() == 0; }
  int size() const { return group_.size(); }

  // Reduces the epoch values logged since the last call. Values with sync_dist are reduced, metrics with a state get
  // the state of all processes, and other values become those of the first process that logged them. beside: sent to
  // all processes. Returns the `beside` of each process, by rank.
  std::vector<nlohmann::json> reduce_epoch(MetricStore& store, const nlohmann::json& beside);
  // Reduces the last batch's values that were logged with sync_dist. Without in_any_case, skips the exchange if no
  // process had such values in the last exchange of the epoch.
  void reduce_steps(MetricStore& store, bool in_any_case);
  // Call before a save: notes the value over all processes so far of metrics with a state. Each process keeps its own
  // state.
  void note_states(MetricStore& store);
  std::optional<double> of_first(const std::optional<double>& value);  // returns rank 0's value

 private:
  void tell_values(MetricStore& store, const std::vector<JointMetric>& untold);

  ProcessGroup& group_;
  StepReduction steps_;
  bool has_steps_ = false;      // a process logs on the step with sync_dist
  bool asks_for_steps_ = true;  // it is unknown whether a process does so in this epoch
};

}  // namespace levin::core
