// The record of a submission: submission.json in the submission's folder. It is written before sbatch is called and
// completed afterwards, because a SLURM controller that crashes may forget a job that it has just accepted.
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

struct SubmittedRun {
  std::string folder;               // relative to the submission's folder
  std::vector<std::string> values;  // values of the grid's options
};

struct Submission {
  std::vector<std::string> command;  // the arguments common to all runs, without "host"
  std::string where;                 // the working directory of the runs
  std::vector<std::string> options;  // options of the grid, without dashes; empty = a single run
  std::vector<SubmittedRun> runs;    // the index of a run is its task number in the array
  int64_t created = 0;               // seconds since 1970 (Unix time)
  std::string job;                   // SLURM's job id; "" = none received
  std::string problem;               // problem reported by sbatch; "" = none known

  bool is_grid() const { return !options.empty(); }
  std::string job_of(size_t run) const;  // "17", or "17_3" in an array; "" = not known
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SubmittedRun, folder, values)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Submission, command, where, options, runs, created, job, problem)

inline constexpr const char* submission_file = "submission.json";
inline constexpr const char* submission_script = "submit.sh";

void save_submission(const std::filesystem::path& folder, const Submission& submission);
// Returns nullopt if the folder has no record. Throws Error{usage} if the record is broken.
std::optional<Submission> load_submission(const std::filesystem::path& folder);

}  // namespace levin::core
