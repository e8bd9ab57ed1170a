#include "core/trainer/signals.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include "core/abi/running_calls.hpp"
#include "core/progress/stop_request.hpp"

namespace levin::core {
namespace {

struct StopSignal {
  int number;
  const char* name;
};
// A cluster sends SIGTERM or SIGUSR1 before it takes the machine away, the kernel SIGXCPU at a limit of CPU time, and a
// terminal that is closed SIGHUP.
constexpr StopSignal stop_signals[] = {
    {SIGINT, "Ctrl-C"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGUSR1, "SIGUSR1"}, {SIGXCPU, "SIGXCPU"}};

std::atomic<bool> ctrl_c{false};   // one has come
std::atomic<bool> at_once{false};  // the first one ends the process

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
  int none = 0;
  const bool first = interruption.compare_exchange_strong(none, signal);
  const bool again = signal == SIGINT && ctrl_c.exchange(true);
  LastLine line;
  if (again || (signal == SIGINT && at_once)) {
    line.add(again ? "host: error: interrupted twice: ends at once, without saving"
                   : "host: error: interrupted: ends at once");
    add_calls(line, 0);
    line.add_way_on().end(128 + signal);
  }
  if (signal == SIGINT || (first && !at_once)) {
    line.add("host: warning: ").add(signal == SIGINT ? "interrupted" : name_of_signal(signal));
    line.add(": ends after the batch in hand").add(signal == SIGINT ? "; once more ends at once" : "");
    add_calls(line, 2);
    line.write();
  }
  errno = kept;
}

// A reader of the output that goes away, as head does, ends no run: writing fails then. A handler instead of SIG_IGN,
// because programs that plugins start would inherit that.
extern "C" void on_closed_output(int) {}

}  // namespace

Signals::Signals() {
  interruption = 0;
  ctrl_c = at_once = false;
  for (const StopSignal& s : stop_signals) handle(s.number, &on_signal);
  handle(SIGPIPE, &on_closed_output);
}

Signals::~Signals() {
  for (const Before& b : before_) sigaction(b.signal, &b.action, nullptr);
}

void Signals::handle(int signal, void (*handler)(int)) {
  Before before{signal, {}};
  sigaction(signal, nullptr, &before.action);
  if (before.action.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
  before_.push_back(before);
}

void Signals::check() const {
  if (const int signal = interruption) throw Interrupt{signal};
}

void Signals::run_has_ended() { at_once = true; }

const char* name_of_signal(int signal) {
  for (const StopSignal& s : stop_signals)
    if (s.number == signal) return s.name;
  return "a signal";
}

}  // namespace levin::core
