// run, fit, validate, test, predict and resume: from the command line to the engine.
#pragma once
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

int run_command(Command command, const std::vector<std::string>& words);
// words: the run folder, then options that change the saved run.
int resume_command(const std::vector<std::string>& words);

}  // namespace levin::core
