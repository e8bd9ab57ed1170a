// Handles the signals that ask a run to stop. Before the run has begun the first one ends the process. Then it ends
// after the batch in hand: a second Ctrl-C ends the process at once; other signals change nothing when they come again,
// because clusters send several. No closed output ends a run (SIGPIPE). A signal that the process was started to ignore
// (nohup, a job in the background) stays ignored.
// One may be made while another one lives, which handles the signals again when it is gone, as those of a run that is
// over: so the engine has one to its end.
// The handler prints on stderr and in the run's log what happens, and which call of a plugin takes long.
#pragma once
#include <csignal>
#include <vector>

#include "core/base/stop_signals.hpp"

namespace levin::core {

class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void meets();        // from now on the others are told of a signal, by who asks check()
  void run_begins();   // from now on the run stops after the batch in hand
  void check() const;  // throws Interrupt if a signal has come
  // From now on no loop checks for it any more. The first Ctrl-C ends the process, unless others may still be at work:
  // they would lose it.
  void run_has_ended(bool others_work);

 private:
  struct Before {
    int signal;
    struct sigaction action;
  };
  void handle(int signal, void (*handler)(int));
  std::vector<Before> before_;
};

}  // namespace levin::core
