// Callbacks and loggers of a saved run whose plugins are gone.
#pragma once
#include <string>
#include <vector>

#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Removes those that later settings exchange or switch off, and the rest if that is allowed; returns a line for each of
// the rest. Throws the error of ComponentSource::find, with the way on, if it is not allowed.
std::vector<std::string> leave_out_lost(std::vector<Setting>& settings, ComponentSource& source, bool allowed);

}  // namespace levin::core
