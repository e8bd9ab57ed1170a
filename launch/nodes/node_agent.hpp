// The launcher's agent on another machine: `host __node`, started by ssh. It reads its task from standard input, starts
// its ranks and reports on them to standard output. It ends its ranks when the input ends or the launcher is silent for
// too long.
#pragma once
#include <chrono>

#include "launch/ranks/local_node.hpp"

namespace levin::core {

// Time without a message after which the launcher or the network is treated as lost.
struct Silence {
  std::chrono::milliseconds most = std::chrono::seconds(30);
  std::chrono::milliseconds while_stopped = std::chrono::hours(24);  // while Ctrl-Z has stopped the run
};

// Returns the exit code.
int run_node_agent(Silence silence = {}, Patience patience = {});

}  // namespace levin::core
