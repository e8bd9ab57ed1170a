#include "launch/common/event_loop.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

using std::chrono::milliseconds;

void EventLoop::watch(int fd, std::function<void()> ready) { watched_[fd] = std::move(ready); }

void EventLoop::forget(int fd) { watched_.erase(fd); }

void EventLoop::after(milliseconds time, std::function<void()> call) {
  due_.emplace(Clock::now() + time, std::move(call));
}

void EventLoop::turn() {
  std::vector<pollfd> fds;
  for (const auto& [fd, ready] : watched_) fds.push_back({fd, POLLIN, 0});
  const int n = ::poll(fds.data(), fds.size(), milliseconds_left());
  for (const pollfd& p : fds) {
    const auto found = watched_.find(p.fd);
    if (n <= 0 || p.revents == 0 || found == watched_.end()) continue;
    const auto ready = found->second;  // a copy, because the callback may forget its own descriptor
    ready();
  }
  call_due();
}

void EventLoop::call_due() {
  const auto now = Clock::now();
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto call = std::move(due_.begin()->second);
    due_.erase(due_.begin());
    call();
  }
}

int EventLoop::milliseconds_left() const {
  if (due_.empty()) return -1;
  const auto left = std::chrono::duration_cast<milliseconds>(due_.begin()->first - Clock::now()).count() + 1;
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60000));
}

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
  if (fd_ < 0) throw Error(ErrorCode::system_call_failed, std::string("cannot read signals: ") + std::strerror(errno));
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
