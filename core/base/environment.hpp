// The environment variables of this process.
#pragma once
#include <map>
#include <string>

namespace levin::core {

using EnvironmentVariables = std::map<std::string, std::string>;
EnvironmentVariables environment_variables();

// Returns the program's path in the folders of PATH, or "". Relative folders are skipped.
std::string find_program(const EnvironmentVariables& variables, const std::string& name);

}  // namespace levin::core
