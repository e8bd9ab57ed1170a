// Detects the launcher that started this process, and reads rank, world size and address from the launcher's
// environment variables. Lightning's rules, as a table of pure functions over the variables.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/environment.hpp"

namespace levin::core {

// Every function that reads a variable throws Error{run}, which names the variable, if it is missing or not an integer.
struct ClusterEnvironment {
  const char* name;
  bool by_hand;  // cannot be detected and has to be named: detect throws Error{usage}
  bool (*detect)(const EnvironmentVariables&);
  // Throws Error{usage} if the variables contradict each other or are invalid.
  void (*check)(const EnvironmentVariables&);
  std::string (*main_address)(const EnvironmentVariables&);
  int64_t (*main_port)(const EnvironmentVariables&);                  // 0 = any free port
  std::optional<int64_t> (*world_size)(const EnvironmentVariables&);  // nullopt = not set
  int64_t (*global_rank)(const EnvironmentVariables&);
  int64_t (*local_rank)(const EnvironmentVariables&);
  int64_t (*node_rank)(const EnvironmentVariables&);
  bool (*processes_are_made_elsewhere)(const EnvironmentVariables&);
};

// Returns all environments in the order in which they are tried. The last detectable environment matches always; the
// environments that have to be named follow it.
const std::vector<ClusterEnvironment>& cluster_environments();
// Returns the first environment that is detected.
const ClusterEnvironment& detected_environment(const EnvironmentVariables& variables);

}  // namespace levin::core
