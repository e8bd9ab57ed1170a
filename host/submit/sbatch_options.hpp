// The options of sbatch for a submission.
#pragma once
#include <string>

#include "host/submit/process_layout.hpp"
#include "host/submit/submit_arguments.hpp"

namespace levin::core {

// Reads KEY=VALUE, or KEY for an option without a value, of `--sbatch`. Throws Error{usage} for one that `host submit`
// has an option for, or that would change what is submitted.
std::pair<std::string, std::string> read_sbatch_option(const std::string& text);

struct JobShape {
  std::string name;  // if the user gave none
  ProcessLayout layout;
  size_t runs = 1;       // of a grid
  bool goes_on = false;  // a job that is started again goes on with its run
};

// In the order of the script; those of --sbatch replace what they name.
SbatchOptions sbatch_options(const SubmitArguments& arguments, const JobShape& job);

}  // namespace levin::core
