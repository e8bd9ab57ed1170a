// The options of levin::Trainer as the settings of a run.
#pragma once
#include <string>
#include <vector>

#include "host/compose/setting.hpp"
#include "sdk/include/levin/trainer/options.hpp"

namespace levin::core {

// program: how the settings name the components of the program. functions: it has functions for hooks.
std::vector<Setting> settings_of(const TrainerOptions& options, const std::string& program, bool functions);

}  // namespace levin::core
