// The result of a fit: its best checkpoint, and the command to run next.
#pragma once
#include <string>
#include <vector>

#include "core/run_folder/run_folder.hpp"

namespace levin::core {

// Returns the line "best checkpoint: FILE (val_loss 0.123)", or the last checkpoint, and the command to run next.
// Returns nothing if the run has no checkpoint. tests: true if the run has a test that was not run.
std::vector<std::string> fit_result(const RunFolder& folder, bool tests);

}  // namespace levin::core
