// The host's launcher for the processes of a run, on this machine and, by ssh, on others
// (docs/adr/0042-the-hosts-own-launcher.md).
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "launch/ranks/local_node.hpp"
#include "launch/world_plan.hpp"

namespace levin::core {

struct Programs {
  std::vector<std::string> engine;  // program and first arguments of every rank
  std::vector<std::string> agent;   // program and first arguments on every other machine
  std::string ssh_command;          // empty = ssh
};

// Starts the ranks, waits for them, and restarts them up to trainer.max_restarts times. Returns the exit code of the
// run (docs/errors.md).
int launch_world(const RunConfig& config, const WorldPlan& plan, const Programs& programs, Patience patience = {});

}  // namespace levin::core
