// A JSON value of each process, told to all of them: what they exchange at the end of an epoch, or once in a run.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "core/distributed/process_group.hpp"

namespace levin::core {

// Collective. By rank.
std::vector<nlohmann::json> exchange_json(ProcessGroup& group, const nlohmann::json& mine);

}  // namespace levin::core
