// The signals that ask a driver to stop.
#pragma once
#include <csignal>

#include "launch/common/event_loop.hpp"

namespace levin::core::tasks {

struct StopRequest {
  int signal = 0;        // 0 = none has come
  bool at_once = false;  // the first Ctrl-C lets running tasks end. Another one, or any other signal, stops at once

  bool asked() {
    for (const int number : signals_.read()) {
      if (number == SIGCHLD) continue;
      at_once = at_once || signal != 0 || number != SIGINT;
      signal = number;
    }
    return signal != 0;
  }
  int fd() const { return signals_.fd(); }

 private:
  SignalSource signals_{{SIGINT, SIGTERM, SIGHUP}};
};

}  // namespace levin::core::tasks
