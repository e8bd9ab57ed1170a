// What the help says of optimizers and learning-rate schedules.
#pragma once
#include <string>
#include <vector>

#include "core/plugin/plugin_index.hpp"

namespace levin::core {

int print_schedules();                     // returns 0
int print_optimizers(PluginIndex& index);  // the built-in ones and those of plugins; returns 0
// Prints the built-in optimizers and schedules of this id or class name. Returns their number.
int print_built_in_optim(const std::string& name);
// The ids of all built-in optimizers and schedules.
std::vector<std::string> built_in_optim_ids();

}  // namespace levin::core
