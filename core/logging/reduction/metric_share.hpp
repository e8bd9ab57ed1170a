// What one process has of a logged metric, as the others get it, and how the shares of all become one value.
#pragma once
#include <optional>
#include <variant>
#include <vector>

#include "core/logging/metrics/metric_store.hpp"

namespace levin::core {

// A value that is reduced already, or that has no parts to reduce.
struct KnownValue {
  std::optional<double> value;
};

// The state of a metric.
struct MetricState {
  StateBag state;
  // Whether the process has the metric itself, which can join states. Otherwise the state is from a checkpoint, and the
  // metric has not been logged since.
  bool has_metric = false;
  std::optional<double> restored;  // as of ReducedValue
};

using ShareContent = std::variant<MetricAccumulator::Part, KnownValue, MetricState>;

struct MetricShare {
  MetricMeta meta;
  ShareContent content;
};

// The shares of one metric, by rank; nullopt where a process has not logged it.
struct JointMetric {
  MetricMeta meta;  // of the first process that has it
  std::vector<std::optional<ShareContent>> shares;
};

// Of what was logged since the processes put it together last.
std::vector<MetricShare> epoch_shares(const MetricStore& store);
// Of metrics with a state alone. Their values of the last batch stay, also when the states change.
std::vector<MetricShare> state_shares(const MetricStore& store);
// all: the shares of each process, by rank. The order is the same in all processes.
std::vector<JointMetric> join_shares(std::vector<std::vector<MetricShare>> all);

// Whether a process has no part in a state that others have, so that it has to be told the value.
bool lacks_state(const JointMetric& joint);
// Sets the value of the epoch over all processes. A process without a part in a state is left without a value.
void take_epoch(MetricStore& store, const JointMetric& joint, int rank);
// Notes what the value is over all processes; each keeps its own part of the state.
void take_restored(MetricStore& store, const JointMetric& joint, int rank);
void take_value(MetricStore& store, const JointMetric& joint, const std::optional<double>& value);

}  // namespace levin::core
