// The end of the process that the engine itself wants.
#pragma once
#include <sys/syscall.h>
#include <unistd.h>

namespace levin::core {

// At once, without handlers and destructors, also in a signal handler. In the engine _exit() is for those who may not
// end the run (host/engine/exit_calls.cpp).
[[noreturn]] inline void end_process(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

}  // namespace levin::core
