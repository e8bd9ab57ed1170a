// The environment variables of this process.
#pragma once
#include <chrono>
#include <map>
#include <string>

namespace levin::core {

using EnvironmentVariables = std::map<std::string, std::string>;
EnvironmentVariables environment_variables();

// Set beside OMP_NUM_THREADS, to the same value, if that is the host's choice.
inline constexpr const char* chosen_threads_variable = "LEVIN_NUM_THREADS";
// Returns true if OMP_NUM_THREADS is set, and not by the host.
bool has_threads_of_user(const EnvironmentVariables& variables);

// Returns the program's path in the folders of PATH, or "". Relative folders are skipped.
std::string find_program(const EnvironmentVariables& variables, const std::string& name);

// Returns the time without a heartbeat after which a process of a run counts as lost: LEVIN_HEARTBEAT_TIMEOUT (in
// seconds) if it is set, else 15 s, because the connection to another machine may be interrupted briefly.
std::chrono::milliseconds heartbeat_timeout();

}  // namespace levin::core
