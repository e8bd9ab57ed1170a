#include "launch/restart.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/paths.hpp"
#include "launch/output/terminal.hpp"

namespace levin::core {

using std::chrono::milliseconds;

bool may_restart(const WorldEnd& end) {
  if (!end.cause || end.asked_to_stop) return false;
  for (const ErrorKind kind :
       {ErrorKind::usage, ErrorKind::plugin, ErrorKind::data, ErrorKind::checkpoint, ErrorKind::non_finite})
    if (end.cause->code == static_cast<int>(kind)) return false;
  return true;
}

// Looks for the checkpoint index in the folder. A new run in an old folder moves the old index aside. For a resumed run
// that was started from a chosen checkpoint, only rank 0's report counts, because the index may list older checkpoints.
// A resumed run whose folder is on another machine has a checkpoint.
bool has_checkpoint(const RunConfig& begun, const WorldEnd& end) {
  if (end.said_saved || end.run_folder.empty()) return end.said_saved;
  if (begun.resume && begun.ckpt_path) return false;
  const std::filesystem::path folder = end.run_folder;
  return is_present(folder / "checkpoints/index.json") || (begun.resume && !is_present(folder));
}

RunConfig restarted(RunConfig config, const WorldEnd& end) {
  // Runs that do not train start from the beginning, and so do runs that failed before they had a folder.
  if (end.run_folder.empty() || !fits(config.command)) return config;
  // A resumed run saves newly given options only after they have completed a batch.
  config.takes_saved_options = !config.resume || end.said_saved;
  config.resume = end.run_folder;
  // Without a checkpoint of its own, the run starts from its original checkpoint, in the same folder.
  if (end.saved) config.ckpt_path.reset(), config.ckpt_run.reset();
  return config;
}

milliseconds RestartPause::after(const WorldEnd& attempt) {
  const bool had_begun = !attempt.run_folder.empty();
  last_ = attempt.lost_machine.empty()      ? milliseconds(0)
          : last_.count() == 0 || had_begun ? first_
                                            : std::min(2 * last_, 16 * first_);
  return last_;
}

int wait_for_signal(const SignalSource& signals, milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    for (const int signal : signals.read()) {
      if (signal == SIGTSTP) ::kill(::getpid(), SIGSTOP);  // continues after SIGCONT
      if (signal != SIGTSTP && signal != SIGCHLD) return signal;
    }
    const auto left = std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return 0;
    pollfd come{signals.fd(), POLLIN, 0};
    ::poll(&come, 1, static_cast<int>(std::min(left.count() + 1, milliseconds(500).count())));
    flush_output();
  }
}

}  // namespace levin::core
