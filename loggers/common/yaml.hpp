// Hyper-parameters as YAML, as people and Python's yaml read them.
#pragma once
#include <string>

namespace levin::loggers {

// The text of a JSON object as block YAML, keys in the order of the object. Throws std::exception for bad JSON.
std::string yaml_of_json(const std::string& json);

}  // namespace levin::loggers
