// Handles SIGINT, SIGTERM and SIGHUP (the terminal was closed), and lets no closed output end the run (SIGPIPE). The
// first one ends the run after the current batch, and a second one ends the process at once. The handler prints on
// stderr and in the run's log what happens, and which call of a plugin takes long.
#pragma once

namespace levin::core {

class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void check() const;  // throws Interrupt if a signal has come
  void now_at_once();  // from now on the first signal ends the process, because no loop checks for it any more
};

}  // namespace levin::core
