// The signals that ask a run to stop. A cluster sends SIGTERM or SIGUSR1 before it takes the machine away. The kernel
// sends SIGXCPU at the CPU time limit, and SIGHUP when the terminal is closed.
#pragma once
#include <csignal>
#include <cstddef>
#include <iterator>

#include "core/base/error.hpp"

namespace levin::core {

inline constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};

// Returns "Ctrl-C", "SIGTERM" and so on; "a signal" for other than stop signals. Safe in a signal handler.
inline const char* name_of_signal(int signal) {
  constexpr const char* names[] = {"Ctrl-C", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGXCPU"};  // in the order above
  for (size_t i = 0; i < std::size(names); ++i)
    if (stop_signals[i] == signal) return names[i];
  return "a signal";
}

// Returns the exit code of a run that a signal has stopped without loss.
inline int code_of_stop(int signal) { return signal == SIGINT ? 128 + SIGINT : exit_saved; }

// An engine is started with these signals blocked, so that none ends it while its libraries are loading. It unblocks
// them once its handlers are installed.
inline sigset_t stop_signal_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : stop_signals) sigaddset(&set, signal);
  return set;
}

}  // namespace levin::core
