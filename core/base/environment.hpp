// The environment variables of this process.
#pragma once
#include <map>
#include <string>

namespace levin::core {

using EnvironmentVariables = std::map<std::string, std::string>;
EnvironmentVariables environment_variables();

}  // namespace levin::core
