// Rejects batches that do not fit into memory before a model is created for their rows, which may take long.
#pragma once
#include "core/components/data_module.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

// Throws Error{usage} if a batch of this stage needs more than the machine's memory. The data must be set up. Batches
// of a data module that plans its loaders are checked when the loaders are made.
void check_batches(const DataModule& data, const RunSettings& settings, uint32_t stage, int processes);

}  // namespace levin::core
