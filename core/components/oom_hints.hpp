// Hints at why a component ran out of memory.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/config/schema.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// Lists large options and fields: "; what is large here: --model.hidden 1000000, field 'x' of the data with 10000000
// numbers a row". Returns "" if none is large. options: the component's options; data: the description of the data that
// the component gets, or nullptr.
std::string asked_for_memory(const ComponentSchema& schema, const nlohmann::json& options, const levin_data_info* data);

}  // namespace levin::core
