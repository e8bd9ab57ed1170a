// Starts the engine, the program next to this one that links LibTorch.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/launcher/launch_arguments.hpp"

namespace levin::core {

// Replaces this process by the engine, which reads the run from an inherited file descriptor. Before that it sets the
// environment variables that LibTorch reads when it is loaded. A run of several processes, or one that may be started
// again, stays here: host/launcher starts the engines, and the run's exit code is returned. Throws Error if the engine
// cannot be started.
int launch_run(RunConfig config, const LaunchArguments& arguments);

// Becomes the engine for `host check`; the request is that of host/engine/check/check_plugin.
[[noreturn]] void launch_check(const nlohmann::json& request);

// The same for `host export`; the request is that of host/engine/export.
[[noreturn]] void launch_export(const nlohmann::json& request);

// The same, but without a run and with these arguments as arguments, such as {"--doctor"}.
[[noreturn]] void launch_engine(const std::vector<std::string>& arguments);

}  // namespace levin::core
