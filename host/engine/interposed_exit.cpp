// Replaces exit() and similar functions for plugins: symbols of the executable take precedence over those of the C
// library. Otherwise a plugin that calls exit(0) would end the run as if it had succeeded. In addition, two threads
// must not call the C library's exit at once.
#include <stdlib.h>
#include <unistd.h>

#include "core/base/emergency_output.hpp"
#include "host/engine/crash/crash.hpp"

namespace {

pid_t engine = getpid();

// A child process that a plugin has forked may exit normally.
[[noreturn]] void leave(const char* call, int code) {
  if (getpid() != engine) levin::core::end_process(code);
  levin::core::end_on_exit_call(call);
}

}  // namespace

void levin::core::guard_exit_of_this_process() { engine = getpid(); }

// Visible whatever the compiler flags are, so that plugins use these functions.
#pragma GCC visibility push(default)
extern "C" {
void exit(int code) noexcept { leave("exit()", code); }
void _exit(int code) { leave("_exit()", code); }
void _Exit(int code) noexcept { leave("_Exit()", code); }
void quick_exit(int code) noexcept { leave("quick_exit()", code); }
}
#pragma GCC visibility pop
