// One process's share of a logged metric, in the form sent to the others, and the reduction of all shares to one value.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>
#include <vector>

#include "core/distributed/process_group.hpp"
#include "core/logging/metrics/metric_store.hpp"

namespace levin::core {

// A value that is already reduced, or that has no parts to reduce.
struct KnownValue {
  std::optional<double> value;
};

// The state of a metric.
struct MetricState {
  StateBag state;
  // The process has the metric itself, which can merge states. If false, the state is from a checkpoint, and the metric
  // has not been logged since.
  bool has_metric = false;
  std::optional<double> restored;  // as in ReducedValue
};

using ShareContent = std::variant<MetricAccumulator::Part, KnownValue, MetricState>;

struct MetricShare {
  MetricMeta meta;
  ShareContent content;
};

// The shares of one metric, by rank; nullopt = the process has not logged it.
struct JointMetric {
  MetricMeta meta;  // of the first process that logged it
  std::vector<std::optional<ShareContent>> shares;
};

// Returns shares of the epoch values logged since the last reduction.
std::vector<MetricShare> epoch_shares(const MetricStore& store);
// Returns shares of the metrics with a state only. Computes their step values first, which loading other states would
// lose.
std::vector<MetricShare> state_shares(const MetricStore& store);
// all: the shares of each process, by rank. The result has the same order in all processes.
std::vector<JointMetric> join_shares(std::vector<std::vector<MetricShare>> all);

// Returns true if some processes have the metric's state and others do not, so that the value has to be sent to those.
bool lacks_state(const JointMetric& joint);
// Sets the epoch's value over all processes. A process without a share of the state gets no value.
void take_epoch(MetricStore& store, const JointMetric& joint, int rank);
// Sets the restored value to the one over all processes; each process keeps its own part of the state.
void take_restored(MetricStore& store, const JointMetric& joint, int rank);
void take_value(MetricStore& store, const JointMetric& joint, const std::optional<double>& value);

// For the exchange of shares between processes at the end of an epoch.
nlohmann::json encode(const std::vector<MetricShare>& shares);
std::vector<MetricShare> decode(const nlohmann::json& shares);  // throws nlohmann::json::exception
// Gathers a value of each process in all processes, by rank. Collective.
std::vector<nlohmann::json> exchange_json(ProcessGroup& group, const nlohmann::json& mine);

}  // namespace levin::core
