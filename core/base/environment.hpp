// The environment variables of this process.
#pragma once
#include <chrono>
#include <map>
#include <string>

namespace levin::core {

using EnvironmentVariables = std::map<std::string, std::string>;
EnvironmentVariables environment_variables();

// Returns the program's path in the folders of PATH, or "". Relative folders are skipped.
std::string find_program(const EnvironmentVariables& variables, const std::string& name);

// Returns the time without a heartbeat after which a process of a run counts as lost: LEVIN_HEARTBEAT_TIMEOUT (in
// seconds) if it is set, else 15 s, because the connection to another machine may be interrupted briefly.
std::chrono::milliseconds heartbeat_timeout();

}  // namespace levin::core
