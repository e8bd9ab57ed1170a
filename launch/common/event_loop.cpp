#include "launch/common/event_loop.hpp"

#include <poll.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace levin::core {

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

}  // namespace levin::core
