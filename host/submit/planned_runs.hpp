// The runs of a submission, each checked like a run that is started now.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "host/submit/sbatch_options.hpp"
#include "host/submit/submit_arguments.hpp"

namespace levin::core {

struct PlannedRun {
  std::filesystem::path folder;
  std::vector<std::string> values;     // values of the grid's options
  std::vector<std::string> arguments;  // of this run only
};

struct PlannedRuns {
  std::filesystem::path folder;  // folder of the submission, with the script
  bool new_folder = true;        // false = the folder was named by the user, or belongs to a run that is resumed
  JobShape job;
  std::vector<std::string> arguments;  // of all runs, with the command
  std::vector<PlannedRun> runs;
  std::vector<std::string> warnings;
};

// Creates no folder; the submission's folder is the first free one. Throws the errors of a run with these arguments,
// and Error{usage} for arguments that are not possible in a queued job.
PlannedRuns plan_runs(const SubmitArguments& arguments);

}  // namespace levin::core
