// How many processes of a run there are, and where: what the job is given and what the run is told agree.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/submit/submit_arguments.hpp"

namespace levin::core {

struct ProcessLayout {
  int64_t nodes = 1, tasks_per_node = 1;
  std::vector<std::string> arguments;  // for the run, where its own arguments do not say so
};

// Throws Error{usage} where the job's options and trainer.devices or trainer.num_nodes contradict each other.
ProcessLayout process_layout(const SubmitArguments& arguments, const RunConfig& run);

// Whether this option of a grid, whose jobs are all of one size, says nothing but a size.
bool is_size_of_job(const std::string& option);

}  // namespace levin::core
