#include "host/launcher/restart.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.hpp"
#include "host/launcher/output/terminal.hpp"

namespace levin::core {

using std::chrono::milliseconds;

bool may_restart(const WorldEnd& end) {
  if (!end.cause || end.asked_to_stop) return false;
  for (const ErrorKind kind :
       {ErrorKind::usage, ErrorKind::plugin, ErrorKind::data, ErrorKind::checkpoint, ErrorKind::non_finite})
    if (end.cause->code == static_cast<int>(kind)) return false;
  return true;
}

// A new run in an old folder puts the old index aside, and a resumed one is asked only where it has to tell its own
// checkpoints from the one that it was told to start from. A run that goes on in a folder of another machine has one.
bool has_checkpoint(const RunConfig& begun, const WorldEnd& end) {
  if (end.said_saved || end.run_folder.empty()) return end.said_saved;
  if (begun.resume && begun.ckpt_path) return false;
  const std::filesystem::path folder = end.run_folder;
  std::error_code unknown;
  return std::filesystem::exists(folder / "checkpoints/index.json", unknown) ||
         (begun.resume && !std::filesystem::exists(folder, unknown));
}

RunConfig restarted(RunConfig config, const WorldEnd& end) {
  // What trains nothing is done again from its beginning, and a run that died before it had a folder, too.
  if (end.run_folder.empty() || !fits(config.command)) return config;
  // A run that was resumed saves the options that it was given then only when they have done a batch.
  config.takes_saved_options = !config.resume || end.said_saved;
  config.resume = end.run_folder;
  // Without a checkpoint of its own the run starts from the one it started from before, in the same folder.
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
      if (signal == SIGTSTP) ::kill(::getpid(), SIGSTOP);  // until SIGCONT
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
