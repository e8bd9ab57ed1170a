// Reads a saved run's configuration to resume or repeat the run.
#pragma once
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// The origin of a setting that the user of the saved run did not give.
inline constexpr const char* saved_run_origin = "the saved run";

// Returns the saved run as settings of rank_file, which later settings override. Leaves out options that a component no
// longer has.
std::vector<Setting> settings_from_run(const RunConfig& saved, ComponentSource& source);

}  // namespace levin::core
