// Reads the configuration of a run, saved in its folder or in a checkpoint, to resume or repeat the run.
#pragma once
#include <optional>
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

// Returns the run's model and data module with their options, its precision and its seed. Callbacks, loggers and output
// paths are left out, because a checkpoint from an untrusted source could contain anything there, for example a shell
// command. The plugins of model and data module are checked like all others. Returns nullopt if the file is no Levin
// checkpoint, or if the path is "best" or "last". Throws Error{checkpoint} if the checkpoint is corrupt.
std::optional<RunConfig> run_of_checkpoint(const std::string& ckpt_path);

}  // namespace levin::core
