#include "host/launcher/ranks/spawn.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "host/launcher/common/descriptor.hpp"

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

}  // namespace

pid_t spawn(const Spawn& what) {
  const auto argv = pointers(what.command), envp = pointers(what.environment);
  Pipe failure;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw Error(ErrorKind::internal, std::string("cannot start a process: ") + std::strerror(errno));
  if (pid == 0) execute(what, argv.data(), envp.data(), parent, failure.write_end.get());
  setpgid(pid, pid);  // in both processes, because either may run first
  failure.write_end.reset();
  int error = 0;
  if (read(failure.read_end.get(), &error, sizeof error) != static_cast<ssize_t>(sizeof error)) return pid;
  waitpid(pid, nullptr, 0);
  throw Error(ErrorKind::internal, "cannot run '" + what.command[0] + "': " + std::strerror(error));
}

}  // namespace levin::core
