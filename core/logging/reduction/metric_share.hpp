// What one process has of a logged metric, as it is sent to the others, and how the shares of all become one value.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/logging/metric_store.hpp"

namespace levin::core {

// The shares of one metric, by rank; null where a process has not logged it.
struct JointMetric {
  nlohmann::json how;  // of the first process that has it
  std::vector<nlohmann::json> shares;
  std::string key() const;
};

// Of what was logged since the processes put it together last.
nlohmann::json epoch_shares(const MetricStore& store);
nlohmann::json step_shares(const MetricStore& store);
// Of metrics with a state alone. Their values of the last batch stay, also when the states change.
nlohmann::json state_shares(const MetricStore& store);
// all: the shares of each process, by rank. The order is the same in all processes.
std::vector<JointMetric> join_shares(const std::vector<nlohmann::json>& all);

// Whether a process has no part in a state that others have, so that it has to be told the value.
bool lacks_state(const JointMetric& joint);
// Sets the value of the epoch over all processes. A process without a part in a state is left without a value.
void take_epoch(MetricStore& store, const JointMetric& joint, int rank);
void take_step(MetricStore& store, const JointMetric& joint);
// Notes what the value is over all processes; each keeps its own part of the state.
void take_known(MetricStore& store, const JointMetric& joint, int rank);
void take_value(MetricStore& store, const JointMetric& joint, const std::optional<double>& value);

}  // namespace levin::core
