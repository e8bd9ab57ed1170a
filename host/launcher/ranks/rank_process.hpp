// One process of a run: an engine with its environment, its configuration and its connection to the launcher.
#pragma once
#include <sys/types.h>

#include "host/launcher/common/descriptor.hpp"
#include "host/launcher/common/node_task.hpp"

namespace levin::core {

struct RankProcess {
  pid_t pid = -1;
  Descriptor control;   // this process's end of the connection
  Descriptor out, err;  // the rank's output; closed if the rank writes to this process's own output
};

// Throws Error{internal} if the process cannot be started.
RankProcess start_rank(const NodeTask& task, int local_rank);

}  // namespace levin::core
