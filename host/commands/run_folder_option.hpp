// --run FOLDER: the run whose checkpoint a command uses.
#pragma once
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

// Returns the arguments with --run FOLDER and --ckpt_path best|last replaced by --ckpt_path FILE, the checkpoint of
// that run. Without --ckpt_path an evaluation uses the best checkpoint, or else the last. Throws Error{usage} if the
// arguments contradict each other, and Error{checkpoint} if the run has no such checkpoint.
std::vector<std::string> with_checkpoint_of_run(Command command, std::vector<std::string> arguments);

}  // namespace levin::core
