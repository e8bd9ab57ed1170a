#include "host/engine/crash.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "core/adapt/breadcrumb.hpp"
#include "core/base/error.hpp"

namespace levin::core {
namespace {

constexpr int exit_code = static_cast<int>(ErrorKind::internal);
alignas(16) char alternate_stack[64 * 1024];

// Only what may be called in a signal handler.
void say(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
  (void)ignored;
}

void say_number(int value) {
  char digits[12];
  int n = sizeof digits;
  digits[--n] = 0;
  do digits[--n] = static_cast<char>('0' + value % 10);
  while (value /= 10);
  say(digits + n);
}

void say_who() {
  if (!breadcrumb.plugin) return say(" in the host itself");
  say(" while plugin ");
  say(breadcrumb.plugin);
  say(" ran ");
  say(breadcrumb.call ? breadcrumb.call : "?");
}

// The first thread that crashes tells; others, which often hit the same fault, wait for the exit; a crash while telling
// ends.
void claim_the_last_word() {
  static std::atomic<pid_t> teller{0};
  const pid_t self = gettid();
  pid_t nobody = 0;
  if (teller.compare_exchange_strong(nobody, self)) return;
  if (nobody == self) _exit(exit_code);
  for (;;) pause();
}

void on_crash(int signal, siginfo_t*, void*) {
  claim_the_last_word();
  say("\nhost: crash: signal ");
  say_number(signal);
  say_who();
  Dl_info where;
  void* frames[24];
  const int n = backtrace(frames, 24);
  if (n > 2 && dladdr(frames[2], &where) && where.dli_fname) {
    say("; the faulting code is in ");
    say(where.dli_fname);
  }
  say("; checkpoints written before are intact\n");
  backtrace_symbols_fd(frames, n, STDERR_FILENO);
  _exit(exit_code);
}

void on_terminate() {
  claim_the_last_word();
  say("\nhost: crash: an exception that nobody caught");
  say_who();
  if (const auto e = std::current_exception()) {
    try {
      std::rethrow_exception(e);
    } catch (const std::exception& x) {
      say(": ");
      say(x.what());
    } catch (...) {
    }
  }
  say("\n");
  _exit(exit_code);
}

// The engine itself ends by _exit.
void on_exit() {
  claim_the_last_word();
  say("\nhost: error: exit() was called");
  say_who();
  say("; a plugin reports failures and lets the host end the run\n");
  _exit(static_cast<int>(ErrorKind::run));
}

}  // namespace

void guard_exit() { std::atexit(&on_exit); }

void install_crash_handler() {
  guard_exit();
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads libgcc now, not in the handler
  stack_t stack{};
  stack.ss_sp = alternate_stack;
  stack.ss_size = sizeof alternate_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write, not the end
  std::set_terminate(&on_terminate);
}

}  // namespace levin::core
