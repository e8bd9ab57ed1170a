// Starts the engine, the program next to this one that links LibTorch.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/launcher/launch_arguments.hpp"

namespace levin::core {

// Replaces this process by the engine, which reads the run from an inherited file descriptor. Sets the environment
// variables that LibTorch reads when it is loaded. If the run has several processes or allows restarts, this process
// stays: host/launcher starts the engines, and the run's exit code is returned. Throws Error if the engine cannot be
// started.
int launch_run(RunConfig config, const LaunchArguments& arguments);

// Replaces this process by the engine for `host check`. For the request see host/engine/check/check_plugin.
[[noreturn]] void launch_check(const nlohmann::json& request);

// Replaces this process by the engine for `host export`. For the request see host/engine/export.
[[noreturn]] void launch_export(const nlohmann::json& request);

// Replaces this process by the engine with these arguments, such as {"--doctor"}.
[[noreturn]] void launch_engine(const std::vector<std::string>& arguments);

}  // namespace levin::core
