#include "core/plugin/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_out = 16 << 20, most_err = 4096;

struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw Error(ErrorCode::system_call_failed, std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int i) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
};

bool is_harmless(const std::string& name) {
  for (const char* prefix : {"LC_", "LD_", "ASAN_", "LSAN_", "UBSAN_", "TSAN_"})
    if (starts_with(name, prefix)) return true;
  return is_one_of(name,
                   {"PATH", "LANG", "TMPDIR", "TERM", "GLIBC_TUNABLES", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"});
}

// Blocks all signals as long as it lives. A child that is forked meanwhile must not run this process's handlers, which
// would answer a Ctrl-C a second time before the child has a process group of its own.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

// Returns the child's environment. One thread is enough to describe a plugin, and a larger static TLS block lets the
// child dlopen a LibTorch.
std::vector<std::string> child_variables(ChildEnvironment kind) {
  EnvironmentVariables variables = environment_variables();
  if (kind != ChildEnvironment::same) {
    variables["OMP_NUM_THREADS"] = variables["OPENBLAS_NUM_THREADS"] = "1";
    variables.emplace("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384");
  }
  std::vector<std::string> out;
  for (const auto& [name, value] : variables)
    if (kind != ChildEnvironment::bare || is_harmless(name)) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Runs in the child after fork, where only async-signal-safe functions may be called: another thread of the parent may
// have held a lock.
[[noreturn]] void execute(char* const* argv, char* const* envp, const int (&pipes)[3]) {
  const struct rlimit none { 0, 0 };
  setrlimit(RLIMIT_CORE, &none);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU, SIGPIPE, SIGCHLD, SIGSEGV, SIGABRT})
    ::signal(signal, SIG_DFL);
  sigset_t none_held;
  sigemptyset(&none_held);
  sigprocmask(SIG_SETMASK, &none_held, nullptr);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  dup2(pipes[0], 1);
  dup2(pipes[1], 2);
  execve(argv[0], argv, envp);
  const int error = errno;
  // The error is sent through a pipe of its own, because a program may end with any exit code, and the dynamic loader
  // ends with 127 as a shell does.
  if (write(pipes[2], &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

pid_t fork_child(char* const* argv, char* const* envp, const int (&pipes)[3]) {
  const SignalsHeld held;
  const pid_t pid = fork();
  if (pid < 0)
    throw Error(ErrorCode::system_call_failed, std::string("cannot start a process: ") + std::strerror(errno));
  if (pid == 0) execute(argv, envp, pipes);
  return pid;
}

void append_available(struct pollfd& in, std::string& to, size_t most, bool keep_last) {
  char buffer[16384];
  const ssize_t n = read(in.fd, buffer, sizeof buffer);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) {
    in.fd = -1;
    return;
  }
  to.append(buffer, static_cast<size_t>(n));
  if (to.size() <= most) return;
  if (keep_last) to.erase(0, to.size() - most);
  to.resize(most);
}

// Reads until both pipes end. Returns false if the deadline passes first.
bool collect(int out, int err, Clock::time_point deadline, ChildResult& result) {
  struct pollfd in[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  while (in[0].fd >= 0 || in[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    const int ready = poll(in, 2, static_cast<int>(left) + 1);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    if (in[0].fd >= 0 && in[0].revents) append_available(in[0], result.out, most_out, false);
    if (in[1].fd >= 0 && in[1].revents) append_available(in[1], result.err, most_err, true);
  }
  return true;
}

// Waits for the process to end, because a child may close its pipes and go on running.
bool wait_until(pid_t pid, Clock::time_point deadline, int* status) {
  for (;;) {
    const pid_t got = waitpid(pid, status, WNOHANG);
    if (got == pid || (got < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline) return false;
    usleep(200);
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                      ChildEnvironment kind) {
  auto arguments = command, environment = child_variables(kind);
  const auto argv = pointers(arguments), envp = pointers(environment);
  Pipe out, err, start;
  const auto deadline = Clock::now() + timeout;
  const pid_t pid = fork_child(argv.data(), envp.data(), {out.ends[1], err.ends[1], start.ends[1]});
  for (Pipe* pipe : {&out, &err, &start}) pipe->close_end(1);
  ChildResult result;
  int status = 0, error = 0;
  if (read(start.ends[0], &error, sizeof error) == sizeof error) {
    waitpid(pid, &status, 0);
    throw Error(ErrorCode::system_call_failed, "cannot run '" + command[0] + "': " + std::strerror(error));
  }
  result.timed_out = !collect(out.ends[0], err.ends[0], deadline, result) || !wait_until(pid, deadline, &status);
  kill(-pid, SIGKILL);  // also ends processes that the child started
  if (result.timed_out) {
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return result;
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

}  // namespace levin::core
