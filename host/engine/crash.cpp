#include "host/engine/crash.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/end_process.hpp"
#include "core/base/error.hpp"

namespace levin::core {
namespace {

constexpr int exit_code = static_cast<int>(ErrorKind::internal);
alignas(16) char alternate_stack[64 * 1024];
bool on_a_terminal = false;  // a progress bar may have left its line unfinished there

// The paths of the run, or "" if it has no folder. Stored in advance, because a signal handler cannot build them.
struct RunPaths {
  char folder[4096] = "", log[4096] = "", checkpoints[4096] = "";
} run_paths;

void write_whole(int fd, const char* text, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, text, size);
    if (n <= 0) return;
    text += n;
    size -= static_cast<size_t>(n);
  }
}

// Builds a line without allocating memory. Calls only async-signal-safe functions.
class LastLine {
 public:
  void begin() { size_ = 0; }
  void add(const char* text) {
    for (; *text && size_ + 1 < sizeof text_; ++text) text_[size_++] = *text == '\n' ? ' ' : *text;
  }
  void add(int value) {
    char digits[12];
    int n = sizeof digits;
    digits[--n] = 0;
    do digits[--n] = static_cast<char>('0' + value % 10);
    while (value /= 10);
    add(digits + n);
  }
  [[noreturn]] void end(int code) {
    text_[size_++] = '\n';
    write_whole(STDERR_FILENO, text_, size_);
    const int log = run_paths.log[0] ? open(run_paths.log, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (log >= 0) write_whole(log, text_, size_);
    end_process(code);
  }

 private:
  char text_[8192];
  size_t size_ = 0;
} last_line;

bool loads_plugin() {
  return breadcrumb.plugin && !breadcrumb.instance && breadcrumb.call && std::strcmp(breadcrumb.call, "load") == 0;
}

void add_who() {
  if (!breadcrumb.plugin && gettid() != getpid()) return last_line.add(" in a thread of a plugin or library");
  if (!breadcrumb.plugin) return last_line.add(" in the host itself");
  last_line.add(" while plugin ");
  last_line.add(breadcrumb.plugin);
  if (loads_plugin()) return last_line.add(" was loaded, which runs its static initialisers");
  last_line.add(" ran ");
  if (breadcrumb.instance) last_line.add(breadcrumb.instance);
  if (breadcrumb.instance) last_line.add(".");
  last_line.add(breadcrumb.call ? breadcrumb.call : "?");
}

void add_way_on() {
  if (!run_paths.checkpoints[0] || access(run_paths.checkpoints, R_OK) != 0) return;
  last_line.add("; go on with: host resume ");
  last_line.add(run_paths.folder);
}

const char* signal_words(int signal) {
  switch (signal) {
    case SIGSEGV:
      return " (SIGSEGV, memory that is not its own)";
    case SIGBUS:
      return " (SIGBUS, memory that is not there)";
    case SIGFPE:
      return " (SIGFPE, a division by zero)";
    case SIGILL:
      return " (SIGILL, an instruction that this CPU does not have)";
    case SIGABRT:
      return " (SIGABRT, abort() was called)";
    default:
      return "";
  }
}

// Only the first thread that crashes returns from here and writes the last line; other threads wait for the exit. If
// the first thread crashes again while it writes, it ends the process with what it has written.
void claim_the_last_word() {
  static std::atomic<pid_t> teller{0};
  const pid_t self = gettid();
  pid_t nobody = 0;
  if (teller.compare_exchange_strong(nobody, self)) {
    if (on_a_terminal) write_whole(STDERR_FILENO, "\n", 1);
    return last_line.begin();
  }
  if (nobody == self) last_line.end(exit_code);
  for (;;) pause();
}

// Prints the stack frames before the line, because users look at the last line.
void on_crash(int signal, siginfo_t*, void*) {
  claim_the_last_word();
  last_line.add("host: error: crash: signal ");
  last_line.add(signal);
  last_line.add(signal_words(signal));
  add_who();
  Dl_info where;
  void* frames[24];
  const int n = backtrace(frames, 24);
  backtrace_symbols_fd(frames, n, STDERR_FILENO);
  if (n > 2 && dladdr(frames[2], &where) && where.dli_fname) {
    last_line.add("; the faulting code is in ");
    last_line.add(where.dli_fname);
  }
  add_way_on();
  last_line.end(exit_code);
}

// Whether the file belongs to the C++ runtime, whose frames lie between `throw` and on_terminate.
bool is_machinery(const char* file) {
  for (const char* part : {"libstdc++", "libgcc_s", "san.so"})
    if (std::strstr(file, part)) return true;
  return false;
}

void add_thrower() {
  void* frames[24];
  const int n = backtrace(frames, 24);
  backtrace_symbols_fd(frames, n, STDERR_FILENO);
  bool passed = false;
  for (int i = 0; i < n; ++i) {
    Dl_info where;
    if (!dladdr(frames[i], &where) || !where.dli_fname) continue;
    const bool machinery = is_machinery(where.dli_fname);
    if (passed && !machinery) {
      last_line.add("; the code is in ");
      return last_line.add(where.dli_fname);
    }
    passed = passed || machinery;
  }
}

void on_terminate() {
  claim_the_last_word();
  const bool thrown = std::current_exception() != nullptr;
  last_line.add(loads_plugin() ? "host: error: " : "host: error: crash: ");
  last_line.add(thrown ? "an exception that nobody caught" : "std::terminate");
  add_who();
  if (const auto e = std::current_exception()) {
    try {
      std::rethrow_exception(e);
    } catch (const std::exception& x) {
      last_line.add(": ");
      last_line.add(brief(x).c_str());
    } catch (...) {
    }
  }
  add_thrower();
  add_way_on();
  last_line.end(loads_plugin() ? static_cast<int>(ErrorKind::plugin) : exit_code);
}

// Handles functions of the C library that exit on their own, such as err(3).
void on_exit() { end_on_exit_call("exit()"); }

template <size_t N>
void keep(char (&to)[N], const std::string& path) {
  if (path.size() < N) std::copy_n(path.c_str(), path.size() + 1, to);
}

}  // namespace

void end_on_exit_call(const char* call) {
  claim_the_last_word();
  last_line.add("host: error: ");
  last_line.add(call);
  last_line.add(" was called");
  add_who();
  last_line.add("; a plugin reports failures and lets the host end the run");
  add_way_on();
  last_line.end(static_cast<int>(ErrorKind::run));
}

void guard_exit() { std::atexit(&on_exit); }

void name_run_folder(const std::string& folder) {
  keep(run_paths.folder, folder);
  keep(run_paths.log, folder + "/log.txt");
  keep(run_paths.checkpoints, folder + "/checkpoints/index.json");
}

void install_crash_handler() {
  guard_exit();
  on_a_terminal = isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
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
  std::signal(SIGXFSZ, SIG_IGN);  // if a file exceeds its size limit, write fails instead
  std::set_terminate(&on_terminate);
}

}  // namespace levin::core
