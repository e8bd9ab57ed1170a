// Requests that end a fit before its limits do.
#pragma once
#include <atomic>
#include <mutex>
#include <string>

namespace levin::core {

// A request to end the fit. Any thread may make it.
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
  // Of a run of several processes: one may want to stop, and it counts as asked when all of them know.
  void decide_together(bool on) { together_ = on; }
  bool decides_together() const { return together_; }
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

// The signal that asks the run to end; 0: none has come. Set by the handler, for every thread.
inline std::atomic<int> interruption{0};
// Whether it may end the run at any place; of several processes, all have to end at the same one.
inline std::atomic<bool> may_end_anywhere{true};

// Thrown after the current batch if a signal has come.
struct Interrupt {
  int signal;
};

}  // namespace levin::core
