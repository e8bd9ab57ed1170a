// The record of what was submitted, submission.json in the submission's folder. It is written before sbatch is called,
// because a controller of SLURM that crashes may forget a job that it has just taken, and completed after.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

struct SubmittedRun {
  std::string folder;               // relative to the submission's folder
  std::vector<std::string> values;  // of the grid's options
};

struct Submission {
  std::vector<std::string> command;  // the arguments that all runs have, without "host"
  std::string where;                 // the folder in which they run
  std::vector<std::string> options;  // of the grid, without dashes; none: a single run
  std::vector<SubmittedRun> runs;    // the place of a run is the number of its task in the array
  int64_t created = 0;               // seconds since 1970
  std::string job;                   // SLURM's id; "": sbatch has not said one
  std::string problem;               // of sbatch; "": none is known

  bool is_grid() const { return !options.empty(); }
  std::string job_of(size_t run) const;  // "17", or "17_3" in an array; "": not known
};

inline constexpr const char* submission_file = "submission.json";
inline constexpr const char* submission_script = "submit.sh";

void save_submission(const std::filesystem::path& folder, const Submission& submission);
// nullopt: the folder has none. Throws Error{usage} for a broken one.
std::optional<Submission> load_submission(const std::filesystem::path& folder);

}  // namespace levin::core
