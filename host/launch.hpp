// Handing over to the engine, the program beside this one that links LibTorch.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"

namespace levin::core {

// CPUs that this process may use.
int usable_cpus();

// Replaces this process by the engine, which finds the run in an inherited descriptor. Sets what must stand in the
// environment before LibTorch starts. Returns only by throwing.
[[noreturn]] void launch_run(const RunConfig& config);

// The same with these words and no run, e.g. {"--doctor"}.
[[noreturn]] void launch_engine(const std::vector<std::string>& words);

}  // namespace levin::core
