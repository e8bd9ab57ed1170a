// Waits for descriptors and for times, and calls who asked for them. One thread.
#pragma once
#include <chrono>
#include <functional>
#include <map>

namespace levin::core {

class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;

  // Calls `ready` whenever the descriptor can be read or its other end is closed, until it is forgotten. A function may
  // forget its own descriptor and others.
  void watch(int fd, std::function<void()> ready);
  void forget(int fd);
  void after(std::chrono::milliseconds time, std::function<void()> call);  // once
  // Waits until something is due, and calls it.
  void turn();

 private:
  void call_due();
  int milliseconds_left() const;  // -1: nothing is due by time

  std::map<int, std::function<void()>> watched_;
  std::multimap<Clock::time_point, std::function<void()>> due_;
};

}  // namespace levin::core
