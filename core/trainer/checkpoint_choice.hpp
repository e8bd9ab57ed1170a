// Which checkpoint a call of the Trainer uses.
#pragma once
#include <string>

#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/trainer/assembly/run_output.hpp"

namespace levin::core {

// Call this before a new run's folder is made. Throws Error{checkpoint} if resumed_checkpoint() or
// evaluated_checkpoint() would throw later.
void check_checkpoint_choice(const RunSettings& settings, Console& console);

// The checkpoint that a fit resumes from, or "" if it starts anew: none was requested, or `last` was and there is none.
// Throws Error{checkpoint} if `best` was requested and there is none. `verified` gets the file if it was read in full.
std::string resumed_checkpoint(const RunSettings& settings, const RunOutput& output, VerifiedFile* verified = nullptr);

// The checkpoint that --ckpt_path names, whose weights are evaluated. Throws Error{checkpoint} if there is none.
std::string evaluated_checkpoint(const RunSettings& settings, const RunOutput& output, const std::string& ckpt_path,
                                 VerifiedFile* verified = nullptr);

}  // namespace levin::core
