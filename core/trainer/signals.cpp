#include "core/trainer/signals.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "core/base/end_process.hpp"
#include "core/progress/stop_request.hpp"

namespace levin::core {
namespace {

volatile std::sig_atomic_t pending = 0;
volatile std::sig_atomic_t on_a_terminal = 0;  // a progress bar may have left its line unfinished there

// Prints the line in the signal handler, because the current batch may take long or never end. Calls only
// async-signal-safe functions.
void say(std::string_view line) {
  const int kept = errno;
  ssize_t written = on_a_terminal ? write(STDERR_FILENO, "\n", 1) : 0;
  written += write(STDERR_FILENO, line.data(), line.size());
  static_cast<void>(written);  // a failure cannot be reported
  errno = kept;
}

extern "C" void on_signal(int signal) {
  if (pending) {
    say("host: error: interrupted twice: ends at once, without saving\n");
    end_process(128 + signal);
  }
  pending = signal;
  say("host: warning: interrupted: ends after the batch in hand; once more ends at once\n");
}

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Signals::Signals() {
  pending = 0;
  on_a_terminal = isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  install(&on_signal);
}
Signals::~Signals() { install(SIG_DFL); }

void Signals::check() const {
  if (pending) throw Interrupt{pending};
}

}  // namespace levin::core
