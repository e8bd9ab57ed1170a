// Signals as readable events, for a single-threaded process.
#pragma once
#include <csignal>
#include <vector>

namespace levin::core {

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
