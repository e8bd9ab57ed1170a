// The host's own launcher for the processes of a run, on this machine and, by ssh, on others
// (docs/adr/0042-the-hosts-own-launcher.md).
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "launch/ranks/local_node.hpp"
#include "launch/world_plan.hpp"
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

struct Programs {
  std::vector<std::string> engine;  // program and first arguments of every rank
  std::vector<std::string> agent;   // program and first arguments on every other machine
  std::string ssh_command;          // empty = ssh
};

// Starts the ranks, waits for them, and restarts them up to trainer.max_restarts times. Returns the exit code of the
// run (docs/errors.md).
int launch_world(const RunConfig& config, const WorldPlan& plan, const Programs& programs, Patience patience = {});

}  // namespace levin::core
