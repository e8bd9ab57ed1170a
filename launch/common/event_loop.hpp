// Waits for file descriptors and timers and calls their callbacks. Single-threaded.
#pragma once
#include <chrono>
#include <functional>
#include <map>

namespace levin::core {

class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;

  // Calls `ready` whenever the descriptor is readable or its other end is closed, until forget(). A callback may forget
  // its own descriptor and others.
  void watch(int fd, std::function<void()> ready);
  void forget(int fd);
  void after(std::chrono::milliseconds time, std::function<void()> call);  // once
  // Waits for the next event and calls its callbacks.
  void turn();

 private:
  void call_due();
  int milliseconds_left() const;  // -1 = no timer

  std::map<int, std::function<void()>> watched_;
  std::multimap<Clock::time_point, std::function<void()>> due_;
};

}  // namespace levin::core
