// Starts programs that do not outlive this process, and the ranks of a run among them.
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "launch/common/descriptor.hpp"
#include "launch/common/node_task.hpp"

namespace levin::core {

struct Spawn {
  std::vector<std::string> command;  // the program is searched in PATH if it has no slash
  EnvironmentVariables environment;
  int in = -1, out = -1, err = -1;  // -1 = /dev/null for the input, and this process's own for the outputs
  std::vector<int> kept;            // further descriptors that stay open in the child
  sigset_t blocked{};               // signals blocked in the child; default: none
};

// Starts the child and returns its process id. The child leads a process group of its own, so that it gets no signals
// from the terminal, and it is killed (SIGKILL) when this process ends for any reason. Throws Error{internal} if the
// child cannot be started.
pid_t spawn(const Spawn& what);

// One process of a run: an engine with its environment, its configuration and its connection to the launcher.
struct RankProcess {
  pid_t pid = -1;
  Descriptor control;   // this process's end of the connection
  Descriptor out, err;  // the rank's output; closed if the rank writes to this process's own output
};

// Throws Error{internal} if the process cannot be started.
RankProcess start_rank(const NodeTask& task, int local_rank);

}  // namespace levin::core
