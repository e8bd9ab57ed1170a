// The number of nodes and processes of a run, the same for the job and for the run.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/submit/submit_arguments.hpp"

namespace levin::core {

struct ProcessLayout {
  int64_t nodes = 1, tasks_per_node = 1;
  std::vector<std::string> arguments;  // arguments to add if the run's own arguments do not set the numbers
};

// Throws Error{usage} if the job's options contradict trainer.devices or trainer.num_nodes.
ProcessLayout process_layout(const SubmitArguments& arguments, const RunConfig& run);

// Returns true for an option that only sets the size of the job. It cannot be an axis of a grid, because the jobs of a
// grid have equal size.
bool is_size_of_job(const std::string& option);

}  // namespace levin::core
