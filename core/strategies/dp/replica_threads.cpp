#include "core/strategies/dp/replica_threads.hpp"

#include <ATen/ThreadLocalState.h>
#include <pthread.h>

#include <csignal>
#include <utility>

#include "core/abi/border_watch.hpp"
#include "core/abi/torch_warnings.hpp"

namespace levin::core {
namespace {

std::exception_ptr attempt(const std::function<void(size_t)>& task, size_t number) {
  try {
    task(number);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

ReplicaThreads::~ReplicaThreads() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Starts the threads with all signals blocked, so that the training thread handles signals.
void ReplicaThreads::start() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (size_t i = 0; i < tasks_.size(); ++i) threads_.emplace_back([this, i] { work(i); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ReplicaThreads::work(size_t thread) {
  TorchWarnings::watch_this_thread();
  is_training_thread = true;
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    given_.wait(lock, [&] { return ends_ || tasks_[thread]; });
    if (ends_) return;
    const std::function<void()> task = std::exchange(tasks_[thread], nullptr);
    lock.unlock();
    task();
    lock.lock();
    if (--running_ == 0) done_.notify_all();
  }
}

std::vector<std::exception_ptr> ReplicaThreads::run(size_t n, const std::function<void(size_t)>& task) {
  std::vector<std::exception_ptr> thrown(n);
  if (threads_.empty() && n > 1) start();
  const at::ThreadLocalState modes;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    running_ = n - 1;
    for (size_t i = 1; i < n; ++i)
      tasks_[i - 1] = [&, i] {
        const at::ThreadLocalStateGuard guard(modes);
        thrown[i] = attempt(task, i);
      };
  }
  given_.notify_all();
  thrown[0] = attempt(task, 0);
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [&] { return running_ == 0; });
  return thrown;
}

}  // namespace levin::core
