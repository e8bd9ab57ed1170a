// Which launcher started this process as one of several, and what its environment variables say about the process:
// Lightning's rules, as a table of pure functions over the variables.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/environment.hpp"

namespace levin::core {

// Every function that reads a variable throws Error{run} that names a variable that is missing or not an integer.
struct ClusterEnvironment {
  const char* name;
  bool by_hand;  // it cannot be detected and has to be named: detect throws Error{usage}
  bool (*detect)(const EnvironmentVariables&);
  // Throws Error{usage} if the variables contradict each other or name something that does not exist.
  void (*check)(const EnvironmentVariables&);
  std::string (*main_address)(const EnvironmentVariables&);
  int64_t (*main_port)(const EnvironmentVariables&);                  // 0 means any free port
  std::optional<int64_t> (*world_size)(const EnvironmentVariables&);  // nullopt if the variables do not say
  int64_t (*global_rank)(const EnvironmentVariables&);
  int64_t (*local_rank)(const EnvironmentVariables&);
  int64_t (*node_rank)(const EnvironmentVariables&);
  bool (*processes_are_made_elsewhere)(const EnvironmentVariables&);
};

// All environments in the order in which they are tried. The last one that can be detected always is; the ones that
// have to be named follow it.
const std::vector<ClusterEnvironment>& cluster_environments();
// The first environment that is detected.
const ClusterEnvironment& detected_environment(const EnvironmentVariables& variables);

}  // namespace levin::core
