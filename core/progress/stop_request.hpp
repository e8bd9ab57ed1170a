// Requests to end a fit before its limits.
#pragma once
#include <atomic>
#include <mutex>
#include <string>

namespace levin::core {

// A request to end the fit. Any thread may call ask().
class StopRequest {
 public:
  // Keeps the reason of the first request.
  void ask(const std::string& reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!asked_) reason_ = reason;
    asked_ = true;
  }
  bool asked() const { return together_ ? agreed_ : asked_; }
  void withdraw() { asked_ = agreed_ = false; }
  // For runs of several processes: with on = true, asked() returns true only after the processes have agreed to stop.
  void decide_together(bool on) { together_ = on; }
  bool wanted() const { return asked_; }
  void agree(const std::string& reason) {
    ask(reason);
    agreed_ = true;
  }
  std::string reason() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reason_;
  }

 private:
  std::atomic<bool> asked_{false}, agreed_{false};
  bool together_ = false;
  mutable std::mutex mutex_;
  std::string reason_;
};

// The signal that asks the run to end; 0 = none. Set by the signal handler; any thread may read it.
inline std::atomic<int> interruption{0};
// True if the signal may end the run at any position. Several processes have to end at the same position.
inline std::atomic<bool> may_end_anywhere{true};

// Thrown after the current batch if a signal was received.
struct Interrupt {
  int signal;
};

}  // namespace levin::core
