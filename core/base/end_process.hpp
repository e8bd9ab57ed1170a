// Ends the engine's own process.
#pragma once
#include <sys/syscall.h>
#include <unistd.h>

namespace levin::core {

// Ends the process immediately, without exit handlers or destructors. Safe in a signal handler. The engine calls this
// instead of _exit(), which it replaces so that plugins cannot end a run (host/engine/interposed_exit.cpp).
[[noreturn]] inline void end_process(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

}  // namespace levin::core
