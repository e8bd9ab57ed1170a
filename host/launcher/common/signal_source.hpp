// Signals as something to read, for a process of one thread.
#pragma once
#include <csignal>
#include <vector>

namespace levin::core {

// While it lives these signals, and SIGCHLD, are not delivered but read. Those that the process was started to ignore
// (nohup, a job in the background) stay ignored. SIGPIPE is ignored.
class SignalSource {
 public:
  explicit SignalSource(const std::vector<int>& signals);
  ~SignalSource();
  SignalSource(const SignalSource&) = delete;
  SignalSource& operator=(const SignalSource&) = delete;

  int fd() const { return fd_; }
  std::vector<int> read() const;  // those that have come; does not wait

 private:
  int fd_;
  sigset_t mask_before_;
  struct sigaction pipe_before_;
};

}  // namespace levin::core
