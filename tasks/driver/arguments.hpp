// The command line of host tasks.
#pragma once
#include <string>
#include <vector>

#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/common/words.hpp"

namespace levin::core::tasks {

struct TasksArguments {
  bool report = false, json = false;
  std::string page;      // the file of a report; "" = none
  bool force = false;    // it may exist
  JobFiles files;        // of a new job: a free folder, which does not exist yet
  JobSettings settings;  // of a run
};

std::vector<WordOption> job_options();
// The settings of a new job: its library is found, and its options are checked. Throws Error.
JobSettings read_new_job(const Words& words);

// Reads the arguments after `host tasks`, finds the library and checks its options. Throws Error.
TasksArguments read_tasks_arguments(const std::vector<std::string>& words);

}  // namespace levin::core::tasks
