// Reduces what the processes of a run have logged. All of them call the same functions at the same points, whatever was
// logged in which of them.
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

  // The values of the epoch that were logged since the last call. Those with sync_dist are reduced, and metrics with a
  // state have that of all processes from now on; all others become those of the first process that logged them.
  // beside: told to all processes. Returns what each of them told, by rank.
  std::vector<nlohmann::json> reduce_epoch(MetricStore& store, const nlohmann::json& beside);
  // Reduces the values of the last batch that were logged with sync_dist. Without in_any_case, nothing is exchanged if
  // no process had such values in the last exchange of the epoch.
  void reduce_steps(MetricStore& store, bool in_any_case);
  // Before a save: metrics with a state get the value over all processes so far, beside the process's own state.
  void note_states(MetricStore& store);
  std::optional<double> of_first(const std::optional<double>& value);  // the first process's

 private:
  void tell_values(MetricStore& store, const std::vector<JointMetric>& untold);

  ProcessGroup& group_;
  StepReduction steps_;
  bool has_steps_ = false;      // a process logs on the step with sync_dist
  bool asks_for_steps_ = true;  // it is not known whether one does in this epoch
};

}  // namespace levin::core
