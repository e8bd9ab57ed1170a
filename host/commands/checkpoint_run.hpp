// Reads the run out of a checkpoint, for commands that name only the checkpoint.
#pragma once
#include <optional>
#include <string>

#include "core/config/run_config.hpp"

namespace levin::core {

// Returns the run's model and data module with their options, its precision and its seed. Callbacks, loggers and output
// paths are left out, because a checkpoint from an untrusted source could contain anything there, for example a shell
// command. The plugins of model and data module are checked like all others. Returns nullopt if the file is no Levin
// checkpoint, or if the path is "best" or "last". Throws Error{checkpoint} if the checkpoint is corrupt.
std::optional<RunConfig> run_of_checkpoint(const std::string& ckpt_path);

}  // namespace levin::core
