// The options that a resumed run takes from its saved configuration.
#pragma once
#include "core/config/run_config.hpp"

namespace levin::core {

// Copies the options of the saved configuration, including a drawn seed and values that tuners found. Values of
// secrets, which are not saved, and command-line settings other than these options stay.
void take_saved_options(RunConfig& config, const RunConfig& saved);

}  // namespace levin::core
