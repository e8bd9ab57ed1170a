// Chooses the checkpoint that a call of the Trainer uses.
#pragma once
#include <optional>
#include <string>

#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/trainer/assembly/run_output.hpp"

namespace levin::core {

struct ChosenCheckpoint {
  std::string path;
  VerifiedFile verified;  // nullptr = it was not read in full
};

// Call it before a new run's folder is created. Returns the checkpoint for a command that only evaluates. That one is
// chosen only once, because another run may save meanwhile. Throws Error{checkpoint} if there is none, or if
// resumed_checkpoint() would throw later.
std::optional<ChosenCheckpoint> choose_checkpoint(const RunSettings& settings, Console& console);

// Returns the checkpoint that a fit resumes from, or "" if it starts from the beginning: none was requested, or `last`
// was and there is none. Throws Error{checkpoint} if `best` was requested and there is none. verified: receives the
// file if it was read in full.
std::string resumed_checkpoint(const RunSettings& settings, const RunOutput& output, VerifiedFile* verified = nullptr);

// Returns the run's own checkpoint to evaluate after its fit. ckpt_path: "best", "last" or a file. Throws
// Error{checkpoint} if there is none.
ChosenCheckpoint evaluated_checkpoint(const RunSettings& settings, const RunOutput& output,
                                      const std::string& ckpt_path);

}  // namespace levin::core
