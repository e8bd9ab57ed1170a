// Who started this process as one of several, and what the environment says of its place: Lightning's rules, as tables
// of pure functions over the environment's variables.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/environment.hpp"

namespace levin::core {

// Every question throws Error{run} that names the variable that is missing or not an integer.
struct ClusterEnvironment {
  const char* name;
  bool by_hand;  // somebody has to ask for it: detect throws Error{usage}
  bool (*detect)(const EnvironmentVariables&);
  // Throws Error{usage} where the variables contradict each other or what they name is not there.
  void (*check)(const EnvironmentVariables&);
  std::string (*main_address)(const EnvironmentVariables&);
  int64_t (*main_port)(const EnvironmentVariables&);                  // 0: any free one
  std::optional<int64_t> (*world_size)(const EnvironmentVariables&);  // nullopt: it does not say
  int64_t (*global_rank)(const EnvironmentVariables&);
  int64_t (*local_rank)(const EnvironmentVariables&);
  int64_t (*node_rank)(const EnvironmentVariables&);
  bool (*processes_are_made_elsewhere)(const EnvironmentVariables&);
};

// In the order in which they are tried; the last that can be detected always is. Those by hand follow.
const std::vector<ClusterEnvironment>& cluster_environments();
// The first that is detected.
const ClusterEnvironment& detected_environment(const EnvironmentVariables& variables);

}  // namespace levin::core
