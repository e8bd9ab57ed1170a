// The run that the arguments of a command describe, with all checks of the command, but not started.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/run_builder.hpp"

namespace levin::core {

struct CheckedRun {
  RunConfig config;
  std::vector<std::string> warnings;
  bool prints = false;  // the arguments include --print_config
};

CheckedRun checked(const BuiltRun& run);
// arguments: the arguments after the command. Throws the errors of the command.
CheckedRun checked_run(Command command, const std::vector<std::string>& arguments);
CheckedRun checked_resume(const std::vector<std::string>& arguments);

}  // namespace levin::core
