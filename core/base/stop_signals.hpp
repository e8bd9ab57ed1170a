// The signals that ask a run to stop. A cluster sends SIGTERM or SIGUSR1 before it takes the machine away, the kernel
// SIGXCPU at a limit of CPU time, and a terminal that is closed SIGHUP.
#pragma once
#include <csignal>

#include "core/base/error.hpp"

namespace levin::core {

inline constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};

// "Ctrl-C", "SIGTERM" and so on; "a signal" for one that asks no run to stop. Safe in a signal handler.
inline const char* name_of_signal(int signal) {
  switch (signal) {
    case SIGINT:
      return "Ctrl-C";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGXCPU:
      return "SIGXCPU";
    default:
      return "a signal";
  }
}

// The exit code of a run that a signal has stopped and that loses nothing.
inline int code_of_stop(int signal) { return signal == SIGINT ? 128 + SIGINT : exit_saved; }

// An engine is started with these blocked, so that none ends it while its libraries are loaded. It lets them come as
// soon as it handles them.
inline sigset_t stop_signal_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : stop_signals) sigaddset(&set, signal);
  return set;
}

}  // namespace levin::core
