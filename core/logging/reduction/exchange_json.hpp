// Gathers a JSON value of each process in all processes (all-gather), at the end of an epoch or once in a run.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "core/distributed/process_group.hpp"

namespace levin::core {

// Returns the values by rank. Collective.
std::vector<nlohmann::json> exchange_json(ProcessGroup& group, const nlohmann::json& mine);

}  // namespace levin::core
