// The script that sbatch gets, for people to read and to submit again.
#pragma once
#include <string>

#include "host/submit/planned_runs.hpp"

namespace levin::core {

// The arguments of sbatch's command line for these options: --NAME=VALUE.
std::vector<std::string> sbatch_words(const SbatchOptions& options);

struct ScriptPaths {
  std::string host;   // the program
  std::string where;  // the folder in which the runs start
};

// The script of the plan. In an array each task has the arguments of its run.
std::string sbatch_script(const PlannedRuns& plan, const SbatchOptions& options, const ScriptPaths& paths);

}  // namespace levin::core
