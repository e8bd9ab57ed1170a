// The outcome of a task on another thread: whether it has ended, and the exception it threw. For sources of this
// folder.
#pragma once
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

namespace levin::core {

class Outcome {
 public:
  // Called by the thread that runs the task. failure: nullptr = success.
  void end(std::exception_ptr failure) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_ = std::move(failure);
    done_ = true;
    changed_.notify_all();
  }
  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return done_; });
  }
  bool done() { return wait_for(std::chrono::milliseconds(0)); }
  // Rethrows the task's exception, if any. Call it after the task has ended.
  void rethrow() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::exception_ptr failure_;
};

}  // namespace levin::core
