// Checks that all processes of a run were started with the same settings.
#pragma once
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

// Throws Error{usage} that names the rank and the first difference: the version of this program or of LibTorch, an
// option, or a component. Collective.
void check_settings(const RunSettings& settings, Processes& processes);
// Does the same for the plugin files of the model, the data and the callbacks. Loggers are not compared, because only
// rank 0 has them. provenance: the plugins as a checkpoint records them.
void check_same_plugins(const RunConfig& config, const nlohmann::json& provenance, Processes& processes);

}  // namespace levin::core
