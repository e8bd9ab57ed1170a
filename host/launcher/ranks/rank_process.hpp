// One process of a run: an engine with its environment, its configuration and its line to the launcher.
#pragma once
#include <sys/types.h>

#include "host/launcher/common/descriptor.hpp"
#include "host/launcher/common/node_task.hpp"

namespace levin::core {

struct RankProcess {
  pid_t pid = -1;
  Descriptor control;   // this process's end of the line to the launcher
  Descriptor out, err;  // what it writes; not open where it has this process's own output
};

// Throws Error{internal} if it cannot be started.
RankProcess start_rank(const NodeTask& task, int local_rank);

}  // namespace levin::core
