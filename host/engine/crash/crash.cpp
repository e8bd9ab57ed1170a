#include "host/engine/crash/crash.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "core/abi/border_watch.hpp"
#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/emergency_output.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/save_queue.hpp"

namespace levin::core {
namespace {

constexpr int exit_code = static_cast<int>(ErrorKind::internal), most_frames = 48;
alignas(16) char alternate_stack[256 * 1024];
EmergencyOutput emergency_output;

bool loads_plugin() {
  return breadcrumb.plugin && !breadcrumb.instance && breadcrumb.call && std::strcmp(breadcrumb.call, "load") == 0;
}

void add_who() {
  if (!breadcrumb.plugin) {
    emergency_output.add(gettid() != getpid() ? " in a thread of a plugin or library" : " in the host itself");
    return;
  }
  emergency_output.add(" while plugin ").add(breadcrumb.plugin);
  if (loads_plugin()) {
    emergency_output.add(" was loaded, which runs its static initialisers");
    return;
  }
  emergency_output.add(" ran ");
  if (breadcrumb.instance) emergency_output.add(breadcrumb.instance).add(".");
  emergency_output.add(breadcrumb.call ? breadcrumb.call : "?");
}

const char* signal_words(int signal) {
  constexpr std::pair<int, const char*> words[] = {{SIGSEGV, " (SIGSEGV, memory that is not its own)"},
                                                   {SIGBUS, " (SIGBUS, memory that is not there)"},
                                                   {SIGFPE, " (SIGFPE, a division by zero)"},
                                                   {SIGILL, " (SIGILL, an instruction that this CPU does not have)"},
                                                   {SIGABRT, " (SIGABRT, abort() was called)"}};
  for (const auto& [known, text] : words)
    if (known == signal) return text;
  return "";
}

// Returns only in the first thread that crashes, which writes the last line; other threads wait for the exit. If the
// first thread crashes again while writing, ends the process with the text written so far.
void claim_the_last_word() {
  static std::atomic<pid_t> teller{0};
  const pid_t self = gettid();
  pid_t nobody = 0;
  if (teller.compare_exchange_strong(nobody, self)) return;
  if (nobody == self) emergency_output.end(exit_code);
  for (;;) pause();
}

// Returns the address of the instruction that caused the signal.
void* place_of_fault(const void* context) {
#if defined(__x86_64__)
  return reinterpret_cast<void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  return nullptr;
#endif
}

// Returns the number of frames of the handler, which precede the frames of the crashed code.
int own_frames(void* const* frames, int n, void* fault) {
  void* const* found = std::find(frames, frames + n, fault);
  return found == frames + n ? std::min(n, 2) : static_cast<int>(found - frames);
}

bool may_dump_core() {
  rlimit limit{};
  return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur != 0;
}

// Ends the process by the signal if core files are enabled, because the kernel needs it to write one; otherwise with
// the exit code.
void end_by(int signal, bool by_fault) {
  if (!may_dump_core()) emergency_output.end(exit_code);
  emergency_output.add("; core dumped, as ulimit -c allows").write();
  std::signal(signal, SIG_DFL);
  if (!by_fault) raise(signal);  // otherwise the instruction faults again, so that the core file shows it
}

// A tensor released twice crashes in whatever code uses it next.
void add_hint(int signal) {
  if (border_watch() || loads_plugin() || signal == SIGFPE || signal == SIGILL) return;
  EmergencyOutput()
      .add(
          "host: a tensor that another plugin released twice can also cause this crash: --debug-plugins names that "
          "plugin")
      .write_line();
}

// Waits for a checkpoint that another thread is writing, because the run can be resumed from it.
void add_way_on() {
  wait_for_saves_before_the_end();
  emergency_output.add_way_on();
}

// Prints the stack frames before the last line, because users read the last line first.
void on_crash(int signal, siginfo_t* info, void* context) {
  claim_the_last_word();
  emergency_output.add("host: error[E7002]: crash: signal ").add(signal).add(signal_words(signal));
  add_who();
  Dl_info where;
  void* frames[most_frames];
  const int n = backtrace(frames, most_frames), own = own_frames(frames, n, place_of_fault(context));
  write_frames(frames + own, n - own);
  add_hint(signal);
  if (n > own && dladdr(frames[own], &where) && where.dli_fname)
    emergency_output.add("; the faulting code is in ").add(where.dli_fname);
  add_way_on();
  end_by(signal, info->si_code > 0);
}

// Returns true if the file belongs to the C++ runtime, whose frames are between `throw` and on_terminate.
bool is_machinery(const char* file) {
  for (const char* part : {"libstdc++", "libgcc_s", "san.so"})
    if (std::strstr(file, part)) return true;
  return false;
}

void add_thrower() {
  void* frames[most_frames];
  const int n = backtrace(frames, most_frames);
  write_frames(frames, n);
  bool passed = false;
  for (int i = 0; i < n; ++i) {
    Dl_info where;
    if (!dladdr(frames[i], &where) || !where.dli_fname) continue;
    const bool machinery = is_machinery(where.dli_fname);
    if (passed && !machinery) {
      emergency_output.add("; the code is in ").add(where.dli_fname);
      return;
    }
    passed = passed || machinery;
  }
}

void on_terminate() {
  claim_the_last_word();
  const bool thrown = std::current_exception() != nullptr;
  emergency_output.add(loads_plugin() ? "host: error[E0307]: " : "host: error[E7002]: crash: ");
  emergency_output.add(thrown ? "an uncaught exception" : "std::terminate");
  add_who();
  if (const auto e = std::current_exception()) {
    try {
      std::rethrow_exception(e);
    } catch (const std::exception& x) {
      emergency_output.add(": ").add(brief(x).c_str());
    } catch (...) {
    }
  }
  add_thrower();
  add_way_on();
  if (loads_plugin()) emergency_output.end(static_cast<int>(ErrorKind::plugin));
  end_by(SIGABRT, /*by_fault=*/false);
  emergency_output.end(exit_code);
}

// Handles C library functions that exit on their own, such as err(3).
void on_exit() { end_on_exit_call("exit()"); }

}  // namespace

void end_on_exit_call(const char* call) {
  claim_the_last_word();
  emergency_output.add("host: error[E0107]: ").add(call).add(" was called");
  add_who();
  emergency_output.add("; plugins must report failures and let the host end the run");
  add_way_on();
  emergency_output.end(static_cast<int>(ErrorKind::run));
}

void guard_exit() { std::atexit(&on_exit); }

void install_crash_handler() {
  guard_exit();
  prepare_frames();
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads libgcc now instead of in the signal handler
  stack_t stack{};
  stack.ss_sp = alternate_stack;
  stack.ss_size = sizeof alternate_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // when a file exceeds its size limit, write() fails instead
  std::set_terminate(&on_terminate);
}

}  // namespace levin::core
