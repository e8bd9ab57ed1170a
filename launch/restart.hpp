// Restarts a run after the loss of a rank (--trainer.max_restarts).
#pragma once
#include <chrono>

#include "core/config/run_config.hpp"
#include "launch/world_run.hpp"

namespace levin::core {

// Returns false after a stop signal, and after errors that would recur: in options, plugins, data, checkpoints or
// numbers.
bool may_restart(const WorldEnd& end);

// Returns true if the attempt begun with this configuration has a checkpoint of its own, as reported by rank 0 or found
// in its folder.
bool has_checkpoint(const RunConfig& begun, const WorldEnd& end);

// Returns the configuration of the next attempt. It resumes the run like `host resume`, in the same folder, which may
// be on another machine. Secrets and command-line options are kept.
RunConfig restarted(RunConfig config, const WorldEnd& end);

// Pauses before restarts: a lost machine needs time to come back, and processes still running on it need time to end.
class RestartPause {
 public:
  explicit RestartPause(std::chrono::milliseconds first) : first_(first) {}
  // Returns the pause after this attempt.
  std::chrono::milliseconds after(const WorldEnd& attempt);

 private:
  std::chrono::milliseconds first_, last_{0};
};

// Waits for this time. Returns early with a stop signal when one arrives, else returns 0.
int wait_for_signal(const SignalSource& signals, std::chrono::milliseconds time);

}  // namespace levin::core
