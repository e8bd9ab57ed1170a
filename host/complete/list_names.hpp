// The names that the SDK has for options whose value is a list.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

std::vector<std::string> metric_names();     // of --model.metrics
std::vector<std::string> transform_names();  // of --data.transforms

}  // namespace levin::core
