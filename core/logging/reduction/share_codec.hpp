// Encodes shares of metrics as JSON, for the exchange between processes at the end of an epoch.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "core/logging/reduction/metric_share.hpp"

namespace levin::core {

nlohmann::json encode(const std::vector<MetricShare>& shares);
std::vector<MetricShare> decode(const nlohmann::json& shares);  // throws nlohmann::json::exception

}  // namespace levin::core
