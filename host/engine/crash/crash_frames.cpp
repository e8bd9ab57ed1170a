#include <backtrace.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#define HAVE_DECL_BASENAME 1  // libiberty declares another basename() than the C library
#include <libiberty/demangle.h>

#include "core/base/emergency_output.hpp"
#include "core/base/file.hpp"
#include "core/base/stop_signals.hpp"
#include "host/engine/crash/crash.hpp"

namespace levin::core {
namespace {

constexpr unsigned most_seconds = 15;  // time limit of the child process
constexpr size_t most_name = 200;      // names of templates can be as long as a page
char engine_path[4096] = "";
backtrace_state* symbols = nullptr;

void ignore_error(void*, const char*, int) {}

// Adds the demangled and shortened name without allocating memory.
void add_function(EmergencyOutput& line, const char* name) {
  struct Name {
    EmergencyOutput& line;
    size_t size;
  } added{line, 0};
  const auto add = [](const char* text, size_t size, void* to) {
    auto& [to_line, before] = *static_cast<Name*>(to);
    to_line.add(std::string_view(text, std::min(size, most_name - std::min(before, most_name))));
    before += size;
  };
  if (cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, add, &added) == 0) add(name, std::strlen(name), &added);
  if (added.size > most_name) line.add("...");
}

struct Frame {
  long number;
  const char* file;
  uintptr_t offset;
  const char *function = nullptr, *source = nullptr;  // nullptr = unknown
  int source_line = 0;
  bool was_written = false;

  // Called again for each function into which the one before was inlined.
  void write() {
    EmergencyOutput line;
    if (was_written)
      line.add("     inlined in ");
    else
      line.add("  #").add(number).add(" ");
    if (function) add_function(line, function);
    if (source) line.add(" at ").add(source).add(":").add(source_line);
    if (!was_written) line.add(function ? ", " : "").add(file).add("+").add_hex(offset);
    line.write_line();
    was_written = true;
  }
};

// inside: an address within the call, because a return address is the one after it. For the function that has the code,
// the symbol is used, because debug information names some functions without their arguments.
void write_frame(Frame frame, uintptr_t inside) {
  const auto take_source = [](void* to, uintptr_t, const char* source, int line, const char* function) {
    Frame& of = *static_cast<Frame*>(to);
    if (!function || !source) return 0;
    if (of.source) of.write();
    of.function = function, of.source = source, of.source_line = line;
    return 0;
  };
  const auto take_symbol = [](void* to, uintptr_t, const char* function, uintptr_t, uintptr_t) {
    if (function) static_cast<Frame*>(to)->function = function;
  };
  if (symbols) backtrace_pcinfo(symbols, inside, take_source, ignore_error, &frame);
  if (symbols) backtrace_syminfo(symbols, inside, take_symbol, ignore_error, &frame);
  frame.write();
}

void write_all(void* const* frames, int n) {
  long number = 0;
  for (int i = 0; i < n; ++i) {
    Dl_info where;
    if (!dladdr(frames[i], &where) || !where.dli_fname) continue;
    const auto address = reinterpret_cast<uintptr_t>(frames[i]), base = reinterpret_cast<uintptr_t>(where.dli_fbase);
    const bool is_library = std::strchr(where.dli_fname, '/') != nullptr;  // the program may be named without a path
    write_frame({number, is_library ? where.dli_fname : engine_path, address - base}, address - (number > 0 ? 1 : 0));
    ++number;
    const int first = i;  // of the frames of a recursive call
    while (i + 1 < n && frames[i + 1] == frames[first]) ++i;
    if (i > first) EmergencyOutput().add("     and ").add(i - first).add(" more of the same").write_line();
  }
}

[[noreturn]] void write_in_child(void* const* frames, int n) {
  for (const int signal : stop_signals) std::signal(signal, SIG_IGN);
  sigset_t fatal;
  sigemptyset(&fatal);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    std::signal(signal, SIG_DFL);
    sigaddset(&fatal, signal);
  }
  sigprocmask(SIG_UNBLOCK, &fatal, nullptr);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(most_seconds);
  write_all(frames, n);
  end_process(0);
}

}  // namespace

void prepare_frames() {
  const std::string path = exe_path().string();
  if (path.size() < sizeof engine_path) std::copy_n(path.c_str(), path.size() + 1, engine_path);
  symbols = backtrace_create_state(nullptr, /*threaded=*/0, ignore_error, nullptr);
}

void write_frames(void* const* frames, int n) {
  std::signal(SIGPIPE, SIG_IGN);  // the report goes to standard error and to a file
  const pid_t child = _Fork();    // runs no fork handlers, which could wait for a lock
  if (child == 0) write_in_child(frames, n);
  int status = 1;  // where waitpid() fails: children are not reported if SIGCHLD is ignored
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return;
  symbols = nullptr;
  write_all(frames, n);
}

}  // namespace levin::core
