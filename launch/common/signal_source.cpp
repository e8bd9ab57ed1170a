#include "launch/common/signal_source.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

SignalSource::SignalSource(const std::vector<int>& signals) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGCHLD);
  for (const int signal : signals)
    if (!is_ignored(signal)) sigaddset(&mask, signal);
  sigprocmask(SIG_BLOCK, &mask, &mask_before_);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &pipe_before_);
  // If SIGCHLD were ignored, the exit statuses of children would be lost.
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &usual, nullptr);
  fd_ = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd_ < 0) throw Error(ErrorKind::internal, std::string("cannot read signals: ") + std::strerror(errno));
}

SignalSource::~SignalSource() {
  close(fd_);
  sigaction(SIGPIPE, &pipe_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

std::vector<int> SignalSource::read() const {
  std::vector<int> out;
  signalfd_siginfo info;
  while (::read(fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
    out.push_back(static_cast<int>(info.ssi_signo));
  return out;
}

}  // namespace levin::core
