// The run that arguments make, checked as its command checks it, and not started.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/run_builder.hpp"

namespace levin::core {

struct CheckedRun {
  RunConfig config;
  std::vector<std::string> warnings;
  bool prints = false;  // the arguments ask for --print_config
};

CheckedRun checked(const BuiltRun& run);
// arguments: those after the command. Throws what the command would.
CheckedRun checked_run(Command command, const std::vector<std::string>& arguments);
CheckedRun checked_resume(const std::vector<std::string>& arguments);

}  // namespace levin::core
