// Checks of loaders whose rows are split among processes.
#pragma once
#include <memory>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"
#include "core/data/loader.hpp"

namespace levin::core {

// Throws Error{usage} for a stream with trainer.pad_evaluation and several processes: a stream's rows cannot be
// repeated.
void check_padding(const LoaderPlace& place, const Share& share);
// Throws Error{usage} if combined_mode 'max_size_cycle' includes a loader without a batch for some process: that
// process could not cycle through it and would drop the other loaders' batches.
void check_cycle(const DataModule& data, uint32_t split, CombinedMode mode,
                 const std::vector<std::unique_ptr<Loader>>& loaders);

}  // namespace levin::core
