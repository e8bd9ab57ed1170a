// What several processes cannot share out of a split that is evaluated.
#pragma once
#include <memory>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"
#include "core/data/loader.hpp"

namespace levin::core {

// With trainer.pad_evaluation, of a loader that is evaluated; throws Error{usage} for a stream, whose rows cannot be
// taken twice.
void check_padding(const LoaderPlace& place, const Share& share);
// Throws Error{usage} where a loader that the others are combined with leaves a process without a batch: it could cycle
// through nothing, and would leave the batches of the others out.
void check_cycle(const DataModule& data, uint32_t split, CombinedMode mode,
                 const std::vector<std::unique_ptr<Loader>>& loaders);

}  // namespace levin::core
