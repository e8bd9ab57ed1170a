// The environment variables of this process.
#pragma once
#include <map>
#include <string>

namespace levin::core {

using EnvironmentVariables = std::map<std::string, std::string>;
EnvironmentVariables environment_variables();

// The path of this program in the folders of PATH, or "". Folders that are not absolute are passed over.
std::string find_program(const EnvironmentVariables& variables, const std::string& name);

}  // namespace levin::core
