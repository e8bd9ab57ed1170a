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

// Throws Error{usage} that names the rank and the first difference: the version of this program or of LibTorch, an
// option, or a component. Collective.
void check_settings(const RunSettings& settings, Processes& processes);
// Does the same for the plugin files of the model, the data and the callbacks. Loggers are not compared, because only
// rank 0 has them. provenance: the plugins as a checkpoint records them.
void check_same_plugins(const RunConfig& config, const nlohmann::json& provenance, Processes& processes);

}  // namespace levin::core
