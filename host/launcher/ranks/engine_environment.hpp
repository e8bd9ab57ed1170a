// The environment of an engine: what LibTorch reads when it is loaded.
#pragma once
#include "core/base/environment.hpp"

namespace levin::core {

// The number of CPUs that this process may use.
int usable_cpus();

// Throws Error{usage} for an OMP_NUM_THREADS that OpenMP would leave aside.
void check_threads_variable(const EnvironmentVariables& variables);

// Adds what makes an engine fast, unless the user has set it. processes: how many of them share this machine.
void add_engine_variables(EnvironmentVariables& variables, int processes = 1);

}  // namespace levin::core
