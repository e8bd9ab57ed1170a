// What of a worker's machine is free. For several threads.
#pragma once
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tasks/common/resources.hpp"

namespace levin::core::tasks {

class WorkerResources {
 public:
  explicit WorkerResources(Machine machine) : pool_(std::move(machine)) {}
  const Machine& machine() const { return pool_.machine(); }

  // queue: the name of the queue whose task needs them. Returns nullopt if they are not free.
  std::optional<Share> take(const std::string& queue, const Needs& needs, const std::vector<std::string>& preferred) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool kept = kept_for_ != queue && Clock::now() < kept_until_;
    std::optional<Share> out = pool_.take(needs, preferred, kept ? kept_ : Amounts{});
    wanted_ = wanted_ || !out;
    if (out && kept_for_ == queue) kept_until_ = {};
    return out;
  }
  // Returns true if another thread has asked for more than was free.
  bool give_back(const Share& share) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pool_.give_back(share);
    return std::exchange(wanted_, false);
  }
  // Tasks of other queues leave so much free for a second, unless they do so for another queue already.
  void keep(const std::string& queue, const Needs& needs) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto now = Clock::now();
    if (kept_for_ != queue && now < kept_until_) return;
    kept_for_ = queue;
    kept_ = amounts_of(needs);
    kept_until_ = now + std::chrono::seconds(1);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  ResourcePool pool_;
  bool wanted_ = false;
  std::string kept_for_;
  Amounts kept_;
  Clock::time_point kept_until_{};
};

}  // namespace levin::core::tasks
