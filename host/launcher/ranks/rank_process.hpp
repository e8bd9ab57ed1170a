// One process of a run: an engine with its environment, its configuration and its line to the launcher.
#pragma once
#include <sys/types.h>

#include "host/launcher/node_task.hpp"
#include "host/launcher/ranks/descriptor.hpp"

namespace levin::core {

struct RankProcess {
  pid_t pid = -1;
  Descriptor control;   // this process's end of the line to the launcher
  Descriptor out, err;  // what it writes; not open where it has this process's own output
};

// Throws Error{internal} if it cannot be started.
RankProcess start_rank(const NodeTask& task, int local_rank);

}  // namespace levin::core
