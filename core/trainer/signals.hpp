// Handles the signals that ask a run to stop: it ends after the batch in hand. A second Ctrl-C ends the process at
// once; other signals change nothing when they come again, because clusters send several. No closed output ends a run
// (SIGPIPE). A signal that the process was started to ignore (nohup, a job in the background) stays ignored.
// The handler prints on stderr and in the run's log what happens, and which call of a plugin takes long.
#pragma once
#include <csignal>
#include <vector>

namespace levin::core {

class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void check() const;    // throws Interrupt if a signal has come
  void run_has_ended();  // from now on the first Ctrl-C ends the process, because no loop checks for it any more

 private:
  struct Before {
    int signal;
    struct sigaction action;
  };
  void handle(int signal, void (*handler)(int));
  std::vector<Before> before_;
};

// "Ctrl-C", "SIGTERM" and so on; "a signal" for one that asks no run to stop.
const char* name_of_signal(int signal);

}  // namespace levin::core
