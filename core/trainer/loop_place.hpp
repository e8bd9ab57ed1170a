// Describes the position of a run's loops for error messages.
#pragma once
#include <string>

#include "core/progress/run_progress.hpp"

namespace levin::core {

// Returns for example "epoch 0, batch 2, step 2", or "test" outside its batches; "after batch" means between two
// batches. `step` counts finished optimizer steps. `evaluating` is true during an evaluation, also inside a fit.
std::string describe_place(const RunProgress& progress, bool evaluating);

}  // namespace levin::core
