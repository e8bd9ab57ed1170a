// --trace-hooks: a line for every call of a hook, step or override.
#pragma once
#include "core/base/console/console.hpp"
#include "core/components/log_origin.hpp"
#include "core/services/run.hpp"

namespace levin::core {

// Prints "epoch 0 step 3: model.training_step", indented by how deep the calls lie in each other; within a trial the
// epochs and steps are the trial's. Console and run outlive the tracker.
void trace_hooks(OriginTracker& tracker, Console& console, const levin_run& run);

}  // namespace levin::core
