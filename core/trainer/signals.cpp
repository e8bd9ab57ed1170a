#include "core/trainer/signals.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include "core/abi/running_calls.hpp"
#include "core/progress/stop_request.hpp"

namespace levin::core {
namespace {

std::atomic<bool> at_once{false};

// Adds the calls of plugins that run now and took at least so many seconds, the longest first.
void add_calls(LastLine& line, double seconds) {
  RunningCall calls[16];
  const size_t n = running_calls(calls, 16);
  for (size_t i = 0, told = 0; i < n && told < 3; ++i) {
    if (!calls[i].of_plugin() || calls[i].seconds < seconds) continue;
    line.add(told++ == 0 ? "; " : ", ");
    add_call(line, calls[i]);
  }
}

// Prints the line in the signal handler, because the current batch may take long or never end. Calls only
// async-signal-safe functions.
extern "C" void on_signal(int signal) {
  const int kept = errno;
  LastLine line;
  const bool again = interruption.exchange(signal) != 0;
  if (again || at_once) {
    line.add(again ? "host: error: interrupted twice: ends at once, without saving"
                   : "host: error: interrupted: ends at once");
    add_calls(line, 0);
    line.add_way_on().end(128 + signal);
  }
  line.add("host: warning: interrupted: ends after the batch in hand; once more ends at once");
  add_calls(line, 2);
  line.write();
  errno = kept;
}

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup ignores it on purpose
}

// A reader of the output that goes away, as head does, ends no run: writing fails then. A handler instead of SIG_IGN,
// because programs that plugins start would inherit that.
void nothing(int) {}

}  // namespace

Signals::Signals() {
  interruption = 0;
  at_once = false;
  install(&on_signal);
  std::signal(SIGPIPE, &nothing);
}
Signals::~Signals() {
  install(SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
}

void Signals::check() const {
  if (const int signal = interruption) throw Interrupt{signal};
}

void Signals::now_at_once() { at_once = true; }

}  // namespace levin::core
