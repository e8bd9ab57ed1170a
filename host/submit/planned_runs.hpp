// The runs of a submission, each checked as a run that is started now.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "host/submit/sbatch_options.hpp"
#include "host/submit/submit_arguments.hpp"

namespace levin::core {

struct PlannedRun {
  std::filesystem::path folder;
  std::vector<std::string> values;     // of the grid's options
  std::vector<std::string> arguments;  // that this run alone has
};

struct PlannedRuns {
  std::filesystem::path folder;  // of the submission, in which the script is
  bool new_folder = true;        // false: the user has named it, or it is that of a run which goes on
  JobShape job;
  std::vector<std::string> arguments;  // of all runs, with their command
  std::vector<PlannedRun> runs;
  std::vector<std::string> warnings;
};

// Makes no folder: the submission's is the first that is free. Throws what a run with these arguments would, and
// Error{usage} for what cannot wait in a queue.
PlannedRuns plan_runs(const SubmitArguments& arguments);

}  // namespace levin::core
