// Help on optimizers and learning-rate schedules.
#pragma once
#include <string>
#include <vector>

#include "core/plugin/plugin_index.hpp"

namespace levin::core {

int print_schedules();                     // returns 0
int print_optimizers(PluginIndex& index);  // built-in ones and those of plugins; returns 0
// Prints the built-in optimizers and schedules with this id or class name. Returns their number.
int print_built_in_optim(const std::string& name);
// Returns the ids of all built-in optimizers and schedules.
std::vector<std::string> built_in_optim_ids();

}  // namespace levin::core
