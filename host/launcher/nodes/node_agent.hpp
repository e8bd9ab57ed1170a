// The launcher's hand on another machine: `host __node`, which ssh starts. It reads its task from its standard input,
// starts its ranks and tells of them on its standard output. When the input ends, or nothing comes any more, so do the
// ranks.
#pragma once
#include <chrono>

#include "host/launcher/ranks/local_node.hpp"

namespace levin::core {

// silence: after which the launcher or the network is taken for dead. Returns the exit code.
int run_node_agent(std::chrono::milliseconds silence = std::chrono::seconds(30), Patience patience = {});

}  // namespace levin::core
