// That all processes of a run were started alike.
#pragma once
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

// Throws Error{usage} that names the rank and the first thing that differs: the version of this program or of LibTorch,
// an option, a component. Collective.
void check_settings(const RunSettings& settings, Processes& processes);
// The same for the files of the plugins that all processes use; only the first one has loggers. provenance: what a
// checkpoint says of plugins.
void check_same_plugins(const RunConfig& config, const nlohmann::json& provenance, Processes& processes);

}  // namespace levin::core
