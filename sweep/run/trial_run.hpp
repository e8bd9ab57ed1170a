// The run of a trial: its process, and what its folder says.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error_line.hpp"
#include "sweep/run/trial_job.hpp"

namespace levin::core::sweep {

struct RunPlan {
  std::vector<std::string> command;     // the arguments of `host fit`, without those below
  std::vector<std::string> values;      // "--model.lr=0.1"
  std::vector<std::string> secrets;     // "--logger.key=V": no file keeps them, so a run that continues gets them, too
  std::string root, log_name, name;     // default_root_dir, log_name and log_version of the run
  std::filesystem::path folder;         // of the run
  std::filesystem::path output;         // the file of what it prints
  std::filesystem::path first_weights;  // "" = none
  int64_t epochs = 0;                   // 0 = as the command says
  size_t side_by_side = 1;              // how many trials run at a time: they share the CPUs
  std::string gpus;                     // CUDA_VISIBLE_DEVICES; "" = as this process has it
  Engine engine;
};

// The arguments of the host that start the run, and that continue it.
std::vector<std::string> words_of_start(const RunPlan& plan);
std::vector<std::string> words_of_resume(const RunPlan& plan);

// Starts the run, or continues it if its folder holds one. The process ends with this one. Throws Error.
pid_t start_run(const RunPlan& plan);

struct RunResult {
  enum class How { done, interrupted, failed, none } how = How::none;  // none: it has not begun
  std::optional<double> value;         // the best value of the metric; a value that is not finite is left out
  std::map<int64_t, double> at_epoch;  // its last value in each epoch, counted from 1
  std::string problem, code;           // of a failed run; code = the number of its error, e.g. "E0204", or ""
};

// Reads the folder of a run that no process uses. If it does not log the metric, it has failed, and `problem` names the
// metrics that it logs.
RunResult read_result(const std::filesystem::path& folder, const std::string& metric, bool maximizes);

bool was_stopped(int status);  // by a signal, to which a run may have answered by saving a checkpoint
std::string way_of_ending(int status);

// Returns the last error in the file of what a run has printed, or its last line, which has no code.
ErrorText last_problem(const std::filesystem::path& output);

// Returns the newest checkpoint of a run. Throws Error{checkpoint} if it has none.
std::filesystem::path last_checkpoint(const std::filesystem::path& folder);

}  // namespace levin::core::sweep
