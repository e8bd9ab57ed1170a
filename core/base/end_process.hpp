// How the engine ends its own process.
#pragma once
#include <sys/syscall.h>
#include <unistd.h>

namespace levin::core {

// Ends the process at once, without running exit handlers or destructors; safe in a signal handler. The engine replaces
// _exit() so that plugins cannot end a run (host/engine/interposed_exit.cpp), and therefore calls this instead.
[[noreturn]] inline void end_process(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

}  // namespace levin::core
