// Whether a fit's checkpoints have room, asked before its first epoch and not at the end of it.
#pragma once
#include <cstdint>
#include <filesystem>

#include "core/hooks/dispatcher.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/trainer/assembly/run_output.hpp"

namespace levin::core {

// The bytes of a checkpoint of the run, as far as they are known before the first step: weights and optimizers.
uint64_t checkpoint_bytes(const Model& model, OptimizerSet& optimizers);

// Throws Error{run} that names the folder, what is needed and what is free.
void check_room(const std::filesystem::path& folder, uint64_t needed, uint64_t free);

struct SavedParts {
  const RunSettings& settings;
  const RunOutput& output;
  const Model& model;
  OptimizerSet& optimizers;
  const Dispatcher& hooks;
};

// Calls check_room() for the folder of each callback that saves. Without such a callback nothing is checked.
void check_disk_space(const SavedParts& parts);

}  // namespace levin::core
