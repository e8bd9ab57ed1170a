// What the environment of a rank says about it: the variables of torchrun, and two of this launcher's own.
#pragma once
#include "host/launcher/common/node_task.hpp"

namespace levin::core {

// variables: of the process that starts the rank. control_fd: the rank's end of the line to the launcher.
EnvironmentVariables rank_environment(EnvironmentVariables variables, const NodeTask& task, int local_rank,
                                      int control_fd);

}  // namespace levin::core
