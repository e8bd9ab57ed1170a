// Which checkpoint a call of the Trainer uses.
#pragma once
#include <string>

#include "core/trainer/assembly/run_output.hpp"

namespace levin::core {

// Asked before the folder of a new run is made: throws Error{checkpoint} where one of the two below would.
void check_checkpoint_choice(const RunSettings& settings, Console& console);

// The one that a fit goes on from; "": it starts anew, as nobody asked for one, or for the last where there is none.
// Throws Error{checkpoint} where there is no best one.
std::string resumed_checkpoint(const RunSettings& settings, const RunOutput& output);

// The one behind --ckpt_path whose weights are evaluated. Throws Error{checkpoint} where there is none.
std::string evaluated_checkpoint(const RunSettings& settings, const RunOutput& output, const std::string& ckpt_path);

}  // namespace levin::core
