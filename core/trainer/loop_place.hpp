// Where the loops of a run are, for the line of a failure.
#pragma once
#include <string>

#include "core/progress/run_progress.hpp"

namespace levin::core {

// "epoch 0, batch 2, step 2", "test, batch 1", before the first and after the last batch "test"; "after batch" between
// two batches. step: of the optimizer, of those that are done. evaluating: an evaluation runs, perhaps within a fit.
std::string describe_place(const RunProgress& progress, bool evaluating);

}  // namespace levin::core
