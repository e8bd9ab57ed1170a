// Starting a run again after the loss of a rank (--trainer.max_restarts).
#pragma once
#include <chrono>

#include "core/config/run_config.hpp"
#include "host/launcher/world_run.hpp"

namespace levin::core {

// Not after a signal that asked the run to stop, and not after mistakes in options, plugins, data, checkpoints or
// numbers, which would come again.
bool may_restart(const WorldEnd& end);

// Whether the run that began so has a checkpoint of its own, said by it or seen in its folder.
bool has_checkpoint(const RunConfig& begun, const WorldEnd& end);

// The run as the next attempt has to do it: what was saved goes on as `host resume` would, in the same folder, which
// may be on another machine. Secrets and what was asked for on the command line stay.
RunConfig restarted(RunConfig config, const WorldEnd& end);

// A machine that was lost needs time to come back, and what runs on there to end.
class RestartPause {
 public:
  explicit RestartPause(std::chrono::milliseconds first) : first_(first) {}
  // Before the attempt that follows this one.
  std::chrono::milliseconds after(const WorldEnd& attempt);

 private:
  std::chrono::milliseconds first_, last_{0};
};

// Waits so long. Returns the signal that asks the run to stop, as soon as it comes, or 0.
int wait_for_signal(const SignalSource& signals, std::chrono::milliseconds time);

}  // namespace levin::core
