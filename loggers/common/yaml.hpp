// Hyper-parameters as YAML that people and Python's yaml can read.
#pragma once
#include <string>

namespace levin::loggers {

// A JSON object as block YAML, with the keys in the order of the object. Throws std::exception for bad JSON.
std::string yaml_of_json(const std::string& json);

}  // namespace levin::loggers
