// The runs in a folder, each read from its own folder and the record of its submission.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runs/run_state.hpp"

namespace levin::core {

struct RunRow {
  std::string name;  // name of the folder
  std::filesystem::path folder;
  std::string job;            // SLURM job id; "" = not known
  bool job_is_newer = false;  // the run was resubmitted and the folder has no trace of the new job yet
  std::string code;           // of the error that ended a failed run, such as E0601; "" = unknown
  std::string problem;        // why the run is refused, failed or broken
  RunState state = RunState::interrupted;
  std::vector<std::pair<std::string, std::string>> values;  // values of the grid's options
  std::optional<int64_t> epoch, step;
  std::optional<double> best;  // score of the best checkpoint
  std::string monitor;         // metric of the score; "" = not known
  bool larger_is_better = false;
  std::map<std::string, double> metrics;  // last values of the metrics
  std::string checkpoint;                 // the last one; "" = none
};

// Returns "[E0601]", or "" if the code is unknown.
inline std::string code_in_brackets(const RunRow& row) { return row.code.empty() ? "" : "[" + row.code + "]"; }

// Reads a run's folder. If it is missing or broken, `problem` says so.
RunRow read_run(const std::filesystem::path& folder, const std::string& name);

// Returns true if SLURM may have newer information on the run's job than the run's folder.
bool is_undecided(const RunRow& row);

// Updates the row of an undecided run with the state of its job in SLURM.
void ask_about(RunRow& row, const JobQueue& queue);

// Returns the last values of the columns of a metrics.csv. Columns without a number in the last rows are left out; of a
// long file the last MiB is read. A missing file has no columns.
std::map<std::string, double> last_metrics(const std::filesystem::path& file);

struct RunList {
  std::vector<RunRow> rows;
  std::vector<std::string> notes;  // about grids below the folder and files that could not be read
};

// Lists the runs of a folder. folder: the folder of a grid, of many runs, or of one run. Runs that were submitted and
// have not begun are included. Throws Error{usage} if the folder does not exist.
RunList runs_in_folder(const std::filesystem::path& folder);

}  // namespace levin::core
