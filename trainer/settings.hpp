// The options of levin::Trainer as the settings of a run.
#pragma once
#include <string>
#include <vector>

#include "host/compose/setting.hpp"
#include "sdk/include/levin/trainer/options.hpp"

namespace levin::core {

struct ProgramParts {
  std::string program;     // how the settings name the components of the program
  bool functions = false;  // it has functions for hooks
  const Component* data;   // a data module from a plugin file; nullptr = the program's rows
};

std::vector<Setting> settings_of(const TrainerOptions& options, const ProgramParts& parts);

}  // namespace levin::core
