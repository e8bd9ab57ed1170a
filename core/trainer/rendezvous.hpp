// How the processes of a run find each other.
#pragma once
#include <memory>

#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_settings.hpp"
#include "core/trainer/signals.hpp"

namespace levin::core {

// Meets the other processes that the launcher says there are. What is random in the settings becomes that of the first
// one. Throws Error{usage} if the processes were not started alike, Error{processes}, and Interrupt.
std::unique_ptr<Processes> meet_processes(RunSettings& settings, Signals& signals, Console& console);

}  // namespace levin::core
