// What a run's folder and its submission's record say of it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/runs/job_queue.hpp"
#include "host/runs/run_state.hpp"

namespace levin::core {

struct RunRow {
  std::string name;  // of the folder
  std::filesystem::path folder;
  std::string job;            // of SLURM; "": none is known
  bool job_is_newer = false;  // it was submitted to go on, and the folder does not know of it yet
  std::string problem;        // why it is refused, failed or broken
  RunState state = RunState::interrupted;
  std::vector<std::pair<std::string, std::string>> values;  // of the grid's options
  std::optional<int64_t> epoch, step;
  std::optional<double> best;  // score of the best checkpoint
  std::string monitor;         // the metric that the score is of; "": not known
  bool larger_is_better = false;
  std::map<std::string, double> metrics;  // their last values
};

// Reads a run's folder, which may be missing or broken: `problem` says so.
RunRow read_run(const std::filesystem::path& folder, const std::string& name);

// Whether SLURM may know more of the run's job than its folder says.
bool is_undecided(const RunRow& row);

// Puts in what SLURM says of the job of a run that is not over.
void ask_about(RunRow& row, const JobQueue& queue);

}  // namespace levin::core
