#include "core/trainer/signals.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include "core/abi/running_calls.hpp"
#include "core/base/emergency_output.hpp"
#include "core/progress/stop_request.hpp"

namespace levin::core {
namespace {

enum class Phase { before, rendezvous, run, over, others_work };
std::atomic<Phase> phase{Phase::before};
std::atomic<bool> ctrl_c{false};  // Ctrl-C was pressed
std::atomic<int> takers{0};       // objects that take signals

// The messages for a first signal, in a phase in which it does not end the process at once.
struct Answer {
  const char *on_ctrl_c, *on_others;
};

Answer answer_in(Phase now) {
  if (now == Phase::run) return {"Stopping after this batch", ": stopping after this batch"};
  if (now == Phase::rendezvous)
    return {"Stopping before the run begins: nothing is saved", ": stopping before the run begins; nothing is saved"};
  return {"This process has done its part and waits for the others", ""};
}

// Adds the running plugin calls that have taken at least so many seconds, the longest first.
void add_calls(EmergencyOutput& line, double seconds) {
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
  const bool is_ctrl_c = signal == SIGINT, again = is_ctrl_c && ctrl_c.exchange(true);
  const Phase now = phase;
  EmergencyOutput line;
  if (again || (is_ctrl_c && now == Phase::over)) {
    line.add(again ? "host: error[E7501]: interrupted twice: quits now without saving"
                   : "host: error[E7501]: interrupted: quits now");
    add_calls(line, 0);
    line.add_way_on().end(128 + signal);
  }
  if (now == Phase::before) end_before_run(signal);
  if (is_ctrl_c) {
    line.add("host: info: ").add(answer_in(now).on_ctrl_c);
    add_calls(line, 2);
    line.add(". Press Ctrl-C again to quit now").add(now == Phase::run ? " without saving." : ".").write();
  } else if (first && now != Phase::over && now != Phase::others_work) {
    line.add("host: warning: ").add(name_of_signal(signal)).add(answer_in(now).on_others);
    add_calls(line, 2);
    line.write();
  }
  errno = kept;
}

// A reader that closes the output, as `head` does, does not end a run: writes fail instead. SIG_IGN is not used,
// because child processes of plugins would inherit it.
extern "C" void on_closed_output(int) {}

}  // namespace

Signals::Signals(bool take) : take_(take) {
  if (!take_) return;
  ++takers;
  interruption = 0;
  ctrl_c = false;
  phase = Phase::before;
  for (const int signal : stop_signals) handle(signal, &on_signal);
  handle(SIGPIPE, &on_closed_output);
  const sigset_t held = stop_signal_set();
  sigprocmask(SIG_UNBLOCK, &held, nullptr);
}

Signals::~Signals() {
  if (!take_) return;
  if (phase != Phase::others_work) phase = Phase::over;
  for (const Before& b : before_) sigaction(b.signal, &b.action, nullptr);
  if (--takers == 0) interruption = 0;  // it was for this run, not for a later one in the same process
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
  if (!take_) return;
  if (const int signal = interruption) throw Interrupt{signal};
}

void Signals::meets() {
  if (take_) phase = Phase::rendezvous;
}

void Signals::run_begins() {
  if (take_) phase = Phase::run;
}

void Signals::run_has_ended(bool others_work) {
  if (take_) phase = others_work ? Phase::others_work : Phase::over;
}

}  // namespace levin::core
