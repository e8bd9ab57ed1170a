// The state of a run, from its folder and from SLURM's queue.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "core/base/enum_names.hpp"

namespace levin::core {

enum class RunState {
  not_submitted,  // recorded, but without a job id from sbatch
  refused,        // rejected by sbatch
  submitted,      // not begun, as far as is known without SLURM
  waiting,        // in the queue
  running,
  interrupted,  // ended or killed before its end; can be resumed
  failed,
  done,
  lost,    // its job is no longer in SLURM, and the run has not begun
  broken,  // its folder cannot be read
};
template <>
inline constexpr auto enum_names<RunState> = std::array{"not submitted", "refused", "submitted", "waiting", "running",
                                                        "interrupted",   "failed",  "done",      "lost",    "broken"};

// Returns the last bytes of a regular file, at most this number; "" = there is no such file.
std::string end_of_file(const std::filesystem::path& file, int64_t most);

// Returns true if a process is running in the run's folder. The check takes the lock for an instant.
bool holds_lock(const std::filesystem::path& run);

struct RunEnd {
  RunState state = RunState::interrupted;  // or done or failed
  std::string error = {};                  // of a failed run
  std::string code = {};                   // of its error, such as E0601; "" = unknown
};

// Returns how the run's last process ended, according to the end of its log.txt.
RunEnd end_of_run(const std::filesystem::path& run);
RunEnd end_in_log(const std::string& end_of_log);

// Converts a job state of squeue.
RunState state_in_queue(const std::string& word);

// The states of jobs in SLURM's queue.
struct JobQueue {
  bool known = false;                        // false = there is no squeue, or it did not answer
  std::map<std::string, std::string> state;  // "17_3" -> "PENDING"; finished jobs are missing
};

// Runs squeue once. ids: ids of jobs or of array tasks.
JobQueue ask_queue(const std::set<std::string>& ids);
JobQueue queue_in_text(const std::string& printed);  // parses lines "17_3 PENDING"

}  // namespace levin::core
