// The sbatch options of a submission, and time limits in SLURM's forms.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "host/submit/process_layout.hpp"
#include "host/submit/submit_arguments.hpp"

namespace levin::core {

inline constexpr const char* time_limit_forms = "MINUTES, MM:SS, HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS";

// Returns the limit in seconds, or nullopt if the text has none of these forms or the time is 0.
std::optional<int64_t> time_limit_seconds(const std::string& text);

// Parses the KEY=VALUE, or KEY for an option without a value, of `--sbatch`. Throws Error{usage} for an option that
// `host submit` has itself, or that would change what is submitted.
std::pair<std::string, std::string> read_sbatch_option(const std::string& text);

struct JobShape {
  std::string name;  // used if the user gives no name
  ProcessLayout layout;
  size_t runs = 1;       // number of runs of a grid
  bool goes_on = false;  // a requeued job resumes its run
};

// Returns the options in the order of the script. Options of --sbatch replace others of the same name.
SbatchOptions sbatch_options(const SubmitArguments& arguments, const JobShape& job);

}  // namespace levin::core
