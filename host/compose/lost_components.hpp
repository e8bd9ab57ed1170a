// Callbacks and loggers of a saved run whose plugins are missing.
#pragma once
#include <string>
#include <vector>

#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Removes the settings of missing callbacks and loggers. Components that later settings replace or switch off are
// removed silently; for each of the others a line is returned. If `allowed` is false, a missing component that is not
// replaced throws the error of ComponentSource::find, extended by the option that continues without it.
std::vector<std::string> leave_out_lost(std::vector<Setting>& settings, ComponentSource& source, bool allowed);

}  // namespace levin::core
