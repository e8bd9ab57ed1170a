// Which checkpoint a call of the Trainer uses.
#pragma once
#include <optional>
#include <string>

#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/trainer/assembly/run_output.hpp"

namespace levin::core {

struct ChosenCheckpoint {
  std::string path;
  VerifiedFile verified;  // nullptr if it was not read in full
};

// Call this before a new run's folder is made. Returns what a command that only evaluates takes, which is chosen once:
// another run may save meanwhile. Throws Error{checkpoint} if there is none, or if resumed_checkpoint() would throw
// later.
std::optional<ChosenCheckpoint> choose_checkpoint(const RunSettings& settings, Console& console);

// The checkpoint that a fit resumes from, or "" if it starts anew: none was requested, or `last` was and there is none.
// Throws Error{checkpoint} if `best` was requested and there is none. `verified` gets the file if it was read in full.
std::string resumed_checkpoint(const RunSettings& settings, const RunOutput& output, VerifiedFile* verified = nullptr);

// The checkpoint of the run itself, whose weights are evaluated after its fit. ckpt_path: "best", "last" or a file.
// Throws Error{checkpoint} if there is none.
ChosenCheckpoint evaluated_checkpoint(const RunSettings& settings, const RunOutput& output,
                                      const std::string& ckpt_path);

}  // namespace levin::core
