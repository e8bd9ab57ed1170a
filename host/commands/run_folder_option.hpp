// --run FOLDER: the run whose checkpoint a command uses.
#pragma once
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

// Returns the arguments with the checkpoint file of that run, --ckpt_path FILE, in place of --run FOLDER and of
// --ckpt_path best|last. Without --ckpt_path an evaluation takes the best checkpoint, or else the last. Throws
// Error{usage} if the arguments make no sense together, and Error{checkpoint} if the run has no such checkpoint.
std::vector<std::string> with_checkpoint_of_run(Command command, std::vector<std::string> arguments);

}  // namespace levin::core
