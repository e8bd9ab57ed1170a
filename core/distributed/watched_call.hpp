// Calls on threads of their own. For sources of this folder.
#pragma once
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace levin::core {

// The outcome of a task on another thread: whether it has ended, and the exception it threw.
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

// For calls that cannot be interrupted, such as those that wait for other processes inside LibTorch: runs it on a new
// thread and waits for it; rethrows its exception. while_waiting is called about fifty times a second. If it throws,
// the thread is detached, as the process is about to end: objects that the call uses must stay alive.
void watched_call(std::function<void()> call, const std::function<void()>& while_waiting);

}  // namespace levin::core
