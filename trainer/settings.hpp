// The options of levin::Trainer as the settings of a run.
#pragma once
#include <string>
#include <vector>

#include "host/compose/setting.hpp"
#include "sdk/include/levin/trainer/program_plugin.hpp"

namespace levin::core {

// program: how the settings name the components of the program, which are those of `own`. data: a data module from a
// plugin file; nullptr = the program's.
std::vector<Setting> settings_of(const TrainerOptions& options, const std::string& program,
                                 const detail::ProgramPlugin& own, const levin::Component* data);

}  // namespace levin::core
