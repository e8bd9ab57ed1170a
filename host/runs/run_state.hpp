// How a run is.
#pragma once
#include <filesystem>
#include <string>

#include "core/base/enum_names.hpp"

namespace levin::core {

enum class RunState {
  not_submitted,  // there is a record, and sbatch has not said an id
  refused,        // by sbatch
  submitted,      // its job has not begun, as far as is known: there is no SLURM to ask here
  waiting,        // in the queue
  running,
  interrupted,  // it has ended, or was killed, before its end, and can go on
  failed,
  done,
  lost,    // SLURM does not know its job any more, and no run has begun
  broken,  // what its folder says of it cannot be read
};
template <>
struct EnumNames<RunState> {
  static constexpr const char* names[] = {"not submitted", "refused", "submitted", "waiting", "running",
                                          "interrupted",   "failed",  "done",      "lost",    "broken"};
};

// Whether a process is in the run's folder. It holds the lock for an instant to find out.
bool holds_lock(const std::filesystem::path& run);

struct RunEnd {
  RunState state = RunState::interrupted;  // or done or failed
  std::string error;                       // of a failed run
};

// How the run's last process ended, as the end of its log.txt says.
RunEnd end_of_run(const std::filesystem::path& run);
RunEnd end_in_log(const std::string& end_of_log);

// What squeue's word for a state means here.
RunState state_in_queue(const std::string& word);

}  // namespace levin::core
