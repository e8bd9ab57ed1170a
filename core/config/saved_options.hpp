// What a run that goes on takes from the configuration that it has saved.
#pragma once
#include "core/config/run_config.hpp"

namespace levin::core {

// The options as the run saved them: a seed that was drawn and values that tuners found are among them. The values of
// secrets, which were not saved, and what was asked for on the command line stay.
void take_saved_options(RunConfig& config, const RunConfig& saved);

}  // namespace levin::core
