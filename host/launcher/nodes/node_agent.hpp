// The launcher's hand on another machine: `host __node`, which ssh starts. It reads its task from its standard input,
// starts its ranks and tells of them on its standard output. When the input ends, or nothing comes any more, so do the
// ranks.
#pragma once
#include <chrono>

#include "host/launcher/ranks/local_node.hpp"

namespace levin::core {

// How long nothing is heard of a launcher before it or the network is taken for dead.
struct Silence {
  std::chrono::milliseconds most = std::chrono::seconds(30);
  std::chrono::milliseconds while_stopped = std::chrono::hours(24);  // with its ranks, by Ctrl-Z
};

// Returns the exit code.
int run_node_agent(Silence silence = {}, Patience patience = {});

}  // namespace levin::core
