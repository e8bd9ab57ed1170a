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

// Submits the script in its folder, which becomes the current folder of this process and of the job. The arguments are
// the options of sbatch; passed this way, they override the SBATCH_* variables. Returns the job id. Throws Error{run}
// with sbatch's message.
std::string call_sbatch(const std::string& sbatch, const std::filesystem::path& script,
                        const std::vector<std::string>& arguments);

// Returns the job id from the output of `sbatch --parsable`, "17" or "17;cluster"; "" if there is none.
std::string job_id_in(const std::string& printed);

}  // namespace levin::core
