// The signals that ask a run to stop. A cluster sends SIGTERM or SIGUSR1 before it takes the machine away, the kernel
// SIGXCPU at a limit of CPU time, and a terminal that is closed SIGHUP.
#pragma once
#include <csignal>

namespace levin::core {

inline constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};

// An engine is started with these blocked, so that none ends it while its libraries are loaded. It lets them come as
// soon as it handles them.
inline sigset_t stop_signal_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : stop_signals) sigaddset(&set, signal);
  return set;
}

}  // namespace levin::core
