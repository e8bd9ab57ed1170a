// The command line of host tasks.
#pragma once
#include <string>
#include <vector>

#include "tasks/common/job_files.hpp"
#include "tasks/driver/job.hpp"

namespace levin::core::tasks {

struct TasksArguments {
  bool report = false, json = false;
  JobFiles files;        // of a new job: a free folder, which does not exist yet
  JobSettings settings;  // of a run
};

// Reads the arguments after `host tasks`, finds the library and checks its options. Throws Error.
TasksArguments read_tasks_arguments(const std::vector<std::string>& words);

}  // namespace levin::core::tasks
