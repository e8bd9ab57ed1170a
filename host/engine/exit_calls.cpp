// exit() and its like, as plugins call them: an executable's symbols go before the C library's. A plugin that ends the
// process would end the run as if it had succeeded, and the C library's exit is not made for two threads at once.
#include <stdlib.h>
#include <unistd.h>

#include "core/base/end_process.hpp"
#include "host/engine/crash.hpp"

namespace {

const pid_t engine = getpid();

// A child that a plugin has forked ends as it wants.
[[noreturn]] void leave(const char* call, int code) {
  if (getpid() != engine) levin::core::end_process(code);
  levin::core::end_on_exit_call(call);
}

}  // namespace

extern "C" {
void exit(int code) noexcept { leave("exit()", code); }
void _exit(int code) { leave("_exit()", code); }
void _Exit(int code) noexcept { leave("_Exit()", code); }
void quick_exit(int code) noexcept { leave("quick_exit()", code); }
}
