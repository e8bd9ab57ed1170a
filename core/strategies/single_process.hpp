// Several processes of one run would train the same model and write the same files: this version has to be the only
// one.
#pragma once
#include "core/strategies/cluster_environment.hpp"

namespace levin::core {

// Throws Error{usage}, in each of the processes, where somebody has started more than one, or what the variables say
// of them does not fit together.
void check_single_process(const EnvironmentVariables& variables);

}  // namespace levin::core
