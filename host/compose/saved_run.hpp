// Reads a saved run's configuration to resume or repeat the run.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Returns how a setting names a component of a saved run: FILE.so:ID.
std::string written_as(const ComponentConfig& saved);

// Origin of settings that were defaults in the saved run.
inline constexpr const char* saved_run_origin = "the saved run";

// Returns the settings of the saved run with rank rank_file, so that later settings override them.
std::vector<Setting> settings_from_run(const RunConfig& saved);

}  // namespace levin::core
