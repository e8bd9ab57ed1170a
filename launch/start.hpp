// Starts the engine, the program next to this one that links LibTorch.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "launch/world_plan.hpp"

namespace levin::core {

// Replaces this process by the engine, which reads the run from an inherited file descriptor. Sets the environment
// variables that LibTorch reads when it is loaded. If the run has several processes or allows restarts, this process
// stays: it starts the engines as ranks, and the run's exit code is returned. Throws Error if the engine cannot be
// started.
int launch_run(RunConfig config, const LaunchArguments& arguments);

// Replaces this process by the engine with these arguments, such as {"--doctor"}.
[[noreturn]] void launch_engine(const std::vector<std::string>& arguments);

// Passes the request for `host check` (host/engine/check/check_plugin) or `host export` (host/engine/tasks) to the
// engine through a file descriptor, whose number is the value of the option.
[[noreturn]] void launch_engine(const char* option, const nlohmann::json& request);

// After this call a stop signal ends the process with the exit code of a run that has not begun. Signals that were
// ignored when the process started stay ignored. The engine, which replaces this process, installs its own handlers.
void end_on_stop_signals();

}  // namespace levin::core
