// Ranks as threads of the test, in lockstep: a sum over ranks waits for all of them, and adds in the order of ranks.
#pragma once
#include <ATen/ATen.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/distributed/batch_norm/sync_batch_norm.hpp"

class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size), given_(static_cast<size_t>(size)) {}

  std::shared_ptr<const levin::core::BatchNormRanks> of(int rank) {
    levin::core::BatchNormRanks ranks{rank, size_, [this, rank](const at::Tensor& tensor) { sum(rank, tensor); }};
    return std::make_shared<levin::core::BatchNormRanks>(std::move(ranks));
  }
  // Runs the work of each rank in its own thread. Returns the messages of thrown errors.
  std::vector<std::string> run(const std::function<void(int rank)>& work) {
    std::vector<std::string> errors(static_cast<size_t>(size_));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; ++rank)
      threads.emplace_back([&, rank] {
        try {
          work(rank);
        } catch (const std::exception& error) {
          errors[static_cast<size_t>(rank)] = error.what();
          leave();
        }
      });
    for (std::thread& thread : threads) thread.join();
    return errors;
  }
  int sums() const { return sums_; }

 private:
  void sum(int rank, const at::Tensor& tensor) {
    std::unique_lock<std::mutex> lock(mutex_);
    given_[static_cast<size_t>(rank)] = tensor;
    const int turn = sums_;
    if (++arrived_ == size_) {
      at::Tensor all = given_[0].clone();
      for (size_t i = 1; i < given_.size(); ++i) all.add_(given_[i]);
      for (const at::Tensor& one : given_) one.detach().copy_(all);
      arrived_ = 0;
      ++sums_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return sums_ != turn || left_; });
    if (sums_ == turn) throw std::runtime_error("another rank has left");
  }
  void leave() {
    const std::lock_guard<std::mutex> lock(mutex_);
    left_ = true;
    changed_.notify_all();
  }

  int size_, arrived_ = 0, sums_ = 0;
  bool left_ = false;
  std::vector<at::Tensor> given_;
  std::mutex mutex_;
  std::condition_variable changed_;
};
