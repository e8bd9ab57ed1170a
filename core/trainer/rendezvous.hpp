// The rendezvous of the processes of a run.
#pragma once
#include <memory>

#include "core/base/console/console.hpp"
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_settings.hpp"
#include "core/trainer/signals.hpp"

namespace levin::core {

// Meets the other processes that the launcher has started. Random values in the settings are replaced by rank 0's.
// Throws Error{usage} if the processes were started with different settings, Error{processes} if the rendezvous fails,
// and Interrupt after a signal.
std::unique_ptr<Processes> meet_processes(RunSettings& settings, Signals& signals, Console& console);

}  // namespace levin::core
