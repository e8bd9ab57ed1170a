// Starts programs that do not outlive this process.
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace levin::core {

struct Spawn {
  std::vector<std::string> command;      // the first word is looked for in PATH if it has no slash
  std::vector<std::string> environment;  // "NAME=value"
  int in = -1, out = -1, err = -1;       // -1: /dev/null for the input, and this process's own for the others
  std::vector<int> kept;                 // more descriptors that stay open in it
  sigset_t blocked{};                    // signals that are blocked in it; none
};

// The child leads a process group of its own, so that signals of the terminal do not reach it, and gets SIGKILL when
// this process ends, however that happens. Throws Error{internal} if it cannot be started.
pid_t spawn(const Spawn& what);

}  // namespace levin::core
