// Handles the signals that ask a run to stop.
// - Before the run begins, the first signal ends the process.
// - During the run, the first signal stops the run after the current batch. A second Ctrl-C ends the process at once.
//   Repetitions of other signals are ignored, because clusters send several.
// - A closed output (SIGPIPE) does not end a run. Signals that the process was started to ignore (nohup, background
//   job) stay ignored.
// The handler prints to stderr and to the run's log what happens and which plugin calls take long.
// Objects may be nested. When the inner one is destroyed, the outer one handles the signals again, as after the end of
// a run. The engine keeps one for its lifetime.
#pragma once
#include <csignal>
#include <vector>

#include "core/base/stop_signals.hpp"

namespace levin::core {

class Signals {
 public:
  // take = false: no handler is installed, and all functions do nothing.
  explicit Signals(bool take = true);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void meets();        // from now on a signal makes check() throw, so that other processes are notified
  void run_begins();   // from now on a signal stops the run after the current batch
  void check() const;  // throws Interrupt if a signal has come
  // From now on no loop checks for signals. The first Ctrl-C ends the process, unless other processes may still be at
  // work: they would lose this one.
  void run_has_ended(bool others_work);

 private:
  struct Before {
    int signal;
    struct sigaction action;
  };
  void handle(int signal, void (*handler)(int));
  bool take_;
  std::vector<Before> before_;
};

}  // namespace levin::core
