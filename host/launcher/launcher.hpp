// The host as the launcher of a run's processes, on this machine and, by ssh, on others
// (docs/adr/0042-the-hosts-own-launcher.md).
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/launcher/ranks/local_node.hpp"
#include "host/launcher/world_plan.hpp"

namespace levin::core {

struct Programs {
  std::vector<std::string> engine;  // of every rank, with its first words
  std::vector<std::string> agent;   // of every other machine
  std::string ssh_command;          // "": ssh
};

// Starts the ranks, waits for them, and starts them again as trainer.max_restarts says. Returns the exit code of the
// run (docs/errors.md).
int launch_world(const RunConfig& config, const WorldPlan& plan, const Programs& programs, Patience patience = {});

}  // namespace levin::core
