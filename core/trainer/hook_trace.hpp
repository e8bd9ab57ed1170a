// --trace-hooks: prints a line for every call of a hook, step or override.
#pragma once
#include "core/base/console/console.hpp"
#include "core/components/log_origin.hpp"
#include "core/services/run.hpp"

namespace levin::core {

// Prints lines such as "epoch 0 step 3: model.training_step", indented by the depth of nested calls. During a trial,
// epoch and step are the trial's. The console and the run must outlive the tracker.
void trace_hooks(OriginTracker& tracker, Console& console, const levin_run& run);

}  // namespace levin::core
