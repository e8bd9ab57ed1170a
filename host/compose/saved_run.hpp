// Reads a saved run's configuration to resume or repeat the run.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// How a setting names a component of a saved run: FILE.so:ID.
std::string written_as(const ComponentConfig& saved);

// The origin of a setting that was a default of the saved run.
inline constexpr const char* saved_run_origin = "the saved run";

// Returns the saved run as settings of rank_file, which later settings override.
std::vector<Setting> settings_from_run(const RunConfig& saved);

}  // namespace levin::core
