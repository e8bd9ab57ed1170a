// Waits for file descriptors, timers and signals in a single-threaded process.
#pragma once
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <vector>

namespace levin::core {

// Calls a callback for each event.
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

// While it lives, these signals and SIGCHLD are read instead of delivered. Signals that were ignored when the process
// started (nohup, a background job) stay ignored. SIGPIPE is ignored.
class SignalSource {
 public:
  explicit SignalSource(const std::vector<int>& signals);
  ~SignalSource();
  SignalSource(const SignalSource&) = delete;
  SignalSource& operator=(const SignalSource&) = delete;

  int fd() const { return fd_; }
  std::vector<int> read() const;  // the pending signals; does not wait

 private:
  int fd_;
  sigset_t mask_before_;
  struct sigaction pipe_before_;
};

}  // namespace levin::core
