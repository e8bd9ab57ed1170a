// Assigns ranks to machines.
#pragma once
#include <string>
#include <vector>

#include "core/base/environment.hpp"
#include "core/config/run_config.hpp"

namespace levin::core {

// The command-line options for launching. They apply to this machine and this start only, so they are not saved with
// the run.
struct LaunchArguments {
  std::string hosts, hostfile, ssh_command;  // empty = not given
  bool any() const { return !hosts.empty() || !hostfile.empty() || !ssh_command.empty(); }
};

struct WorldPlan {
  struct Machine {
    std::string name;
    bool is_this;  // needs no ssh
  };
  std::vector<Machine> machines;
  int ranks_each = 1;
  std::string master_address = "127.0.0.1";
  int world() const { return ranks_each * static_cast<int>(machines.size()); }
};

// Returns true if another launcher has started this process as one of several. Such a process starts no others.
bool is_launched(const EnvironmentVariables& variables);

// Returns the number of parts of the model that compute in parallel in one process of the run.
int parallel_parts(const nlohmann::json& trainer, int (*count_gpus)());

// Sets trainer.devices and trainer.num_nodes in the configuration from the hosts. count_gpus is called only if the
// number is needed. Throws Error{usage}.
WorldPlan plan_world(RunConfig& config, const LaunchArguments& words, int (*count_gpus)());

}  // namespace levin::core
