#include "launch/ranks/spawn.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/stop_signals.hpp"
#include "launch/ranks/engine_environment.hpp"

namespace levin::core {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

void connect(int fd, int to) {
  if (fd >= 0) dup2(fd, to);
}

// Runs in the child after fork, where only async-signal-safe functions may be called.
[[noreturn]] void execute(const Spawn& what, char* const* argv, char* const* envp, pid_t parent, int failure) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // The child's group is in the background, where a terminal may stop a process that writes to it.
  signal(SIGTTOU, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &what.blocked, nullptr);
  connect(what.in >= 0 ? what.in : open("/dev/null", O_RDONLY), 0);
  connect(what.out, 1);
  connect(what.err, 2);
  for (const int fd : what.kept) fcntl(fd, F_SETFD, 0);
  execvpe(argv[0], argv, envp);
  const int error = errno;
  if (write(failure, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

std::vector<std::string> texts(const EnvironmentVariables& variables) {
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

}  // namespace

pid_t spawn(const Spawn& what) {
  const std::vector<std::string> variables = texts(what.environment);
  const auto argv = pointers(what.command), envp = pointers(variables);
  Pipe failure;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0)
    throw Error(ErrorCode::system_call_failed, std::string("cannot start a process: ") + std::strerror(errno));
  if (pid == 0) execute(what, argv.data(), envp.data(), parent, failure.write_end.get());
  setpgid(pid, pid);  // in both processes, because either may run first
  failure.write_end.reset();
  int error = 0;
  if (read(failure.read_end.get(), &error, sizeof error) != static_cast<ssize_t>(sizeof error)) return pid;
  waitpid(pid, nullptr, 0);
  throw Error(ErrorCode::system_call_failed, "cannot run '" + what.command[0] + "': " + std::strerror(error));
}

RankProcess start_rank(const NodeTask& task, int local_rank) {
  const Descriptor config = file_in_memory(task.run_config);
  SocketPair control;
  RankProcess rank;
  Spawn what;
  what.command = task.engine;
  what.command.insert(what.command.end(), {"--run-config-fd", std::to_string(config.get())});
  what.environment = environment_of_rank(environment_variables(), task, local_rank, control.theirs.get());
  what.blocked = stop_signal_set();
  what.kept = {config.get(), control.theirs.get()};
  if (task.shows_first_rank && task.first_rank + local_rank == 0) {
    rank.pid = spawn(what);
  } else {
    Pipe out, err;
    what.out = out.write_end.get();
    what.err = err.write_end.get();
    rank.pid = spawn(what);
    rank.out = std::move(out.read_end);
    rank.err = std::move(err.read_end);
    set_nonblocking(rank.out.get());
    set_nonblocking(rank.err.get());
  }
  rank.control = std::move(control.ours);
  set_nonblocking(rank.control.get());
  return rank;
}

}  // namespace levin::core
