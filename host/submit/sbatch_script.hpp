// The script for sbatch, readable and fit to be submitted again, and its submission.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "host/submit/planned_runs.hpp"

namespace levin::core {

// Returns the options as arguments of sbatch: --NAME=VALUE.
std::vector<std::string> sbatch_words(const SbatchOptions& options);

struct ScriptPaths {
  std::string host;   // the program
  std::string where;  // the working directory of the runs
};

// Returns the script of the plan. In an array, each task has the arguments of its run.
std::string sbatch_script(const PlannedRuns& plan, const SbatchOptions& options, const ScriptPaths& paths);

// Returns the path of sbatch. Throws Error{usage} if it is not found.
std::string find_sbatch();

}  // namespace levin::core
