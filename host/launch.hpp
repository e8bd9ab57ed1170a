// Starts the engine, the program next to this one that links LibTorch.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"

namespace levin::core {

// The number of CPUs that this process may use.
int usable_cpus();

// Replaces this process by the engine, which reads the run from an inherited file descriptor. Before that it sets the
// environment variables that LibTorch reads when it is loaded. Throws Error if the engine cannot be started.
[[noreturn]] void launch_run(const RunConfig& config);

// The same for `host check`; the request is that of host/engine/check/check_plugin.
[[noreturn]] void launch_check(const nlohmann::json& request);

// The same for `host export`; the request is that of host/engine/export.
[[noreturn]] void launch_export(const nlohmann::json& request);

// The same, but without a run and with these words as arguments, such as {"--doctor"}.
[[noreturn]] void launch_engine(const std::vector<std::string>& words);

}  // namespace levin::core
