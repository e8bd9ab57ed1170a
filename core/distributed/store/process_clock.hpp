// Time in which this process ran. What it was stopped for (Ctrl-Z, a machine that sleeps) does not count, so that
// nobody is taken for silent who was not heard.
#pragma once
#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace levin::core {

class ProcessClock {
 public:
  using duration = std::chrono::milliseconds;

  // Since the first call. Any thread may call it; all together have to do so every half second.
  duration now() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto time = std::chrono::steady_clock::now();
    ran_ += std::min(time - std::exchange(last_, time), longest_gap);
    return std::chrono::duration_cast<duration>(ran_);
  }

 private:
  using Real = std::chrono::steady_clock;
  static constexpr Real::duration longest_gap = std::chrono::milliseconds(600);
  std::mutex mutex_;
  Real::time_point last_ = Real::now();
  Real::duration ran_{0};
};

}  // namespace levin::core
