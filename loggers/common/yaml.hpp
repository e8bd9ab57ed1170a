// Hyper-parameters as YAML, readable by Python's yaml.
#pragma once
#include <string>

namespace levin::loggers {

// Returns a JSON object as block YAML, in the order of its keys. Throws std::exception for invalid JSON.
std::string yaml_of_json(const std::string& json);

}  // namespace levin::loggers
