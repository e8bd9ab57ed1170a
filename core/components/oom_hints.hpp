// Why a component may have asked for more memory than there is.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/config/schema.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// "; what is large here: --model.hidden 1000000, field 'x' of the data with 10000000 numbers a row"; "" if nothing is.
// options: the component's; data: what it is told of its data, or nullptr.
std::string asked_for_memory(const ComponentSchema& schema, const nlohmann::json& options, const levin_data_info* data);

}  // namespace levin::core
