// --trace-hooks: a line for every call of a hook, step or override.
#pragma once
#include "core/base/console/console.hpp"
#include "core/components/log_origin.hpp"
#include "core/progress/run_progress.hpp"

namespace levin::core {

// Prints "epoch 0 step 3: model.training_step", indented by how deep the calls lie in each other. Console and progress
// outlive the tracker.
void trace_hooks(OriginTracker& origin, Console& console, const RunProgress& progress);

}  // namespace levin::core
