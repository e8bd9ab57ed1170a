// The environment of an engine: variables that LibTorch reads when it is loaded, and those of a rank.
#pragma once
#include <sys/types.h>

#include "core/base/environment.hpp"
#include "launch/common/node_task.hpp"

namespace levin::core {

// Returns the number of CPUs on which a process may run (0 = this one); 0 if that is unknown.
int cpus_of_affinity(pid_t process);

// Returns the number of CPUs that this process may use, by its affinity and the limits of its control groups.
int usable_cpus();

// Throws Error{usage} if OMP_NUM_THREADS has a value that OpenMP would ignore.
void check_threads_variable(const EnvironmentVariables& variables);

// Adds variables for speed, unless the user has set them. processes: the number of engines on this machine.
void add_engine_variables(EnvironmentVariables& variables, int processes = 1);

// variables: environment of the process that starts the rank. control_fd: the rank's end of the connection to the
// launcher.
EnvironmentVariables environment_of_rank(EnvironmentVariables variables, const NodeTask& task, int local_rank,
                                         int control_fd);

}  // namespace levin::core
