// What a fit leaves behind: its best checkpoint, and what to do with it.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/run_folder/run_folder.hpp"

namespace levin::core {

// "best checkpoint: FILE (val_loss 0.123)", or the last one, and the command that comes next. Returns nothing if the
// run has no checkpoint. config: of the run; tests: it has a test that it has not done.
std::vector<std::string> fit_result(const RunFolder& folder, const nlohmann::json& config, bool tests);

}  // namespace levin::core
