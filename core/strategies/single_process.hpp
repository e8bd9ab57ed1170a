// This version trains in one process: several processes would each train the same model and write the same files.
#pragma once
#include "core/strategies/cluster_environment.hpp"

namespace levin::core {

// Throws Error{usage} in each process if a launcher has started more than one, or if its environment variables
// contradict each other.
void check_single_process(const EnvironmentVariables& variables);

}  // namespace levin::core
