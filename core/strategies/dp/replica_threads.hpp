// The threads on which the replicas of a model compute in parallel, and their random number generators.
#pragma once
#include <ATen/core/Generator.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace levin::core {

class ReplicaThreads {
 public:
  // n: number of threads in addition to the caller of run(). The first run() starts them.
  explicit ReplicaThreads(size_t n) : tasks_(n) {}
  ~ReplicaThreads();
  ReplicaThreads(const ReplicaThreads&) = delete;
  ReplicaThreads& operator=(const ReplicaThreads&) = delete;

  // Runs task(0) on this thread and task(1) to task(n - 1) on the pool, task(i) always on the same thread, with this
  // thread's LibTorch modes (gradients, inference, dispatch). Blocks until all have ended; returns the exception of
  // each, nullptr = none.
  std::vector<std::exception_ptr> run(size_t n, const std::function<void(size_t)>& task);

 private:
  void work(size_t thread);
  void start();

  std::vector<std::thread> threads_;
  std::vector<std::function<void()>> tasks_;  // the pending task of each thread; empty = none
  std::mutex mutex_;
  std::condition_variable given_, done_;
  size_t running_ = 0;
  bool ends_ = false;
};

// LibTorch has one random number generator for all threads, from which concurrent threads would draw in an order that
// differs between runs. So each thread gets one of its own.

// Call it once before computing threads exist. Without this call, LibTorch's operators stay unchanged.
void install_thread_generators();

// While it exists, CPU operators that this thread calls without a generator draw from this one. Needs
// install_thread_generators().
class ThreadGeneratorScope {
 public:
  explicit ThreadGeneratorScope(at::Generator generator);
  ~ThreadGeneratorScope();
  ThreadGeneratorScope(const ThreadGeneratorScope&) = delete;
  ThreadGeneratorScope& operator=(const ThreadGeneratorScope&) = delete;

 private:
  at::Generator before_;
  c10::impl::IncludeDispatchKeyGuard included_;
};

}  // namespace levin::core
