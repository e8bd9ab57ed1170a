// Threads on which the replicas of a model compute at once.
#pragma once
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
  // n: beside the thread that calls run(). They are started by the first run().
  explicit ReplicaThreads(size_t n) : tasks_(n) {}
  ~ReplicaThreads();
  ReplicaThreads(const ReplicaThreads&) = delete;
  ReplicaThreads& operator=(const ReplicaThreads&) = delete;

  // Runs task(0) on this thread and task(1) to task(n - 1) each on its own, always the same one, with this thread's
  // modes of LibTorch (gradients, inference, dispatch). Returns when all have ended, with what each has thrown.
  std::vector<std::exception_ptr> run(size_t n, const std::function<void(size_t)>& task);

 private:
  void work(size_t thread);
  void start();

  std::vector<std::thread> threads_;
  std::vector<std::function<void()>> tasks_;  // what each thread has to do; empty: nothing
  std::mutex mutex_;
  std::condition_variable given_, done_;
  size_t running_ = 0;
  bool ends_ = false;
};

}  // namespace levin::core
