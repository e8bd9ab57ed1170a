// The run that a checkpoint is of, for commands that name the checkpoint alone.
#pragma once
#include <optional>
#include <string>

#include "core/config/run_config.hpp"

namespace levin::core {

// The run's model and data module with their options, its precision and its seed. Callbacks, loggers and all that says
// where files are written is left out, because whoever wrote the file may have put anything in, a command of a shell
// for example; the plugins of the model and the data are looked at as all others are. nullopt: the file is no
// checkpoint of this program, or is "best" or "last". Throws Error{checkpoint} for a damaged one.
std::optional<RunConfig> run_of_checkpoint(const std::string& ckpt_path);

}  // namespace levin::core
