// Which machine runs which ranks.
#pragma once
#include <string>
#include <vector>

#include "core/base/environment.hpp"
#include "core/config/run_config.hpp"
#include "host/launcher/launch_arguments.hpp"

namespace levin::core {

struct WorldPlan {
  struct Machine {
    std::string name;
    bool is_this;  // no ssh
  };
  std::vector<Machine> machines;
  int ranks_each = 1;
  std::string master_address = "127.0.0.1";
  int world() const { return ranks_each * static_cast<int>(machines.size()); }
};

// Whether another launcher has started this process as one of several, which then start no more.
bool is_launched(const EnvironmentVariables& variables);

// How many instances of the model a process of the run has, which compute at once.
int replicas_of(const nlohmann::json& trainer, int (*count_gpus)());

// Adds to the configuration what the hosts say: trainer.devices and trainer.num_nodes. count_gpus: how many there are,
// asked only where it matters. Throws Error{usage}.
WorldPlan plan_world(RunConfig& config, const LaunchArguments& words, int (*count_gpus)());

}  // namespace levin::core
