// Checks before the first epoch of a fit that there is disk space for its checkpoints.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/components/model.hpp"
#include "core/optim/optimizer_set.hpp"

namespace levin::core {

// Returns the size of a checkpoint in bytes, as far as it is known before the first step: weights and optimizers.
uint64_t checkpoint_bytes(const Model& model, OptimizerSet& optimizers);

// Throws Error{run} with the folder and the needed and free bytes if there is too little space.
void check_room(const std::filesystem::path& folder, uint64_t needed, uint64_t free);

// Calls check_room() for each of these folders.
void check_disk_space(const std::vector<std::filesystem::path>& folders, const Model& model, OptimizerSet& optimizers);

}  // namespace levin::core
