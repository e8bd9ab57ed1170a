#include "host/engine/crash/crash_frames.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>

#include "core/base/emergency_output.hpp"
#include "core/base/file.hpp"
#include "core/plugin/plugin_dirs.hpp"

namespace levin::core {
namespace {

constexpr int most_seconds = 15;  // time limit of the other process
char host_path[4096] = "", engine_path[4096] = "";

template <size_t N>
void keep_text(char (&to)[N], const std::string& text) {
  if (text.size() < N) std::copy_n(text.c_str(), text.size() + 1, to);
}

// A text of limited size, built without allocating memory.
struct FrameText {
  char bytes[32 * 1024];
  size_t size = 0;
  void add(const char* text) {
    for (; *text && size < sizeof bytes; ++text) bytes[size++] = *text;
  }
  void add_hex(uintptr_t value) {
    char digits[2 * sizeof value + 1];
    int n = sizeof digits;
    digits[--n] = 0;
    do digits[--n] = "0123456789abcdef"[value % 16];
    while (value /= 16);
    add("0x");
    add(digits + n);
  }
} frame_request, frame_answer;

void ask_for(void* const* frames, int n) {
  for (int i = 0; i < n; ++i) {
    Dl_info where;
    if (!dladdr(frames[i], &where) || !where.dli_fname) continue;
    frame_request.add_hex(reinterpret_cast<uintptr_t>(frames[i]) - reinterpret_cast<uintptr_t>(where.dli_fbase));
    frame_request.add(" ");
    const bool is_library = std::strchr(where.dli_fname, '/') != nullptr;  // the program may be named without a path
    frame_request.add(is_library ? where.dli_fname : engine_path);
    frame_request.add("\n");
  }
}

struct Pipe {
  int ends[2] = {-1, -1};
  bool made = pipe2(ends, O_CLOEXEC) == 0;
};

[[noreturn]] void become_host(const Pipe& in, const Pipe& out) {
  dup2(in.ends[0], STDIN_FILENO);
  dup2(out.ends[1], STDOUT_FILENO);
  char* words[] = {host_path, const_cast<char*>("name-frames"), nullptr};
  execve(host_path, words, environ);
  for (;;) raise(SIGKILL);
}

time_t monotonic_seconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

// Reads the answer to its end. Returns false if it takes too long.
bool read_answer(int fd) {
  const time_t deadline = monotonic_seconds() + most_seconds;
  while (frame_answer.size < sizeof frame_answer.bytes) {
    pollfd in{fd, POLLIN, 0};
    const time_t left = deadline - monotonic_seconds();
    if (left <= 0 || (poll(&in, 1, static_cast<int>(left) * 1000) <= 0 && errno != EINTR)) return false;
    const ssize_t n = read(fd, frame_answer.bytes + frame_answer.size, sizeof frame_answer.bytes - frame_answer.size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    frame_answer.size += static_cast<size_t>(n);
  }
  return true;
}

// Returns true if the other process has named the frames.
bool named() {
  const Pipe in, out;
  if (!host_path[0] || !in.made || !out.made) return false;
  std::signal(SIGPIPE, SIG_IGN);
  const pid_t child = _Fork();  // runs no fork handlers, which could wait for a lock
  if (child < 0) return false;
  if (child == 0) become_host(in, out);
  close(in.ends[0]);
  close(out.ends[1]);
  const bool asked =
      write(in.ends[1], frame_request.bytes, frame_request.size) == static_cast<ssize_t>(frame_request.size);
  close(in.ends[1]);
  const bool read_whole = asked && read_answer(out.ends[0]);
  if (!read_whole) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return read_whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void prepare_frames() {
  keep_text(host_path, host_program().string());
  keep_text(engine_path, exe_path().string());
  void* warm_up[1];
  backtrace(warm_up, 1);  // loads libgcc now instead of in the signal handler
}

void write_frames(void* const* frames, int n) {
  ask_for(frames, n);
  if (named()) return write_evidence(frame_answer.bytes, frame_answer.size);
  write_evidence(frame_request.bytes, frame_request.size);
}

}  // namespace levin::core
