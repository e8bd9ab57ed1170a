// Whether a fit's checkpoints have room, asked before its first epoch and not at the end of it.
#pragma once
#include <cstdint>
#include <filesystem>

#include "core/trainer/assembly.hpp"

namespace levin::core {

// The bytes of a checkpoint of the run, as far as they are known before the first step: weights and optimizers.
uint64_t checkpoint_bytes(const Model& model, OptimizerSet& optimizers);

// Throws Error{run} that names the folder, what is needed and what is free.
void check_room(const std::filesystem::path& folder, uint64_t needed, uint64_t free);

// Does so for the folder of each callback of the kind that saves. Without such a callback nothing is asked.
void check_disk_space(Assembly& assembly);

}  // namespace levin::core
