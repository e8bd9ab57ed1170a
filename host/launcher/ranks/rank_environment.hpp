// The environment of a rank: the variables of torchrun and two of this launcher.
#pragma once
#include "host/launcher/common/node_task.hpp"

namespace levin::core {

// variables: environment of the process that starts the rank. control_fd: the rank's end of the connection to the
// launcher.
EnvironmentVariables rank_environment(EnvironmentVariables variables, const NodeTask& task, int local_rank,
                                      int control_fd);

}  // namespace levin::core
