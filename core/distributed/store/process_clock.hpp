// Measures the time in which this process ran. Time in which it was stopped (Ctrl-Z, a suspended machine) does not
// count, so that other processes are not taken for silent while this one could not receive.
#pragma once
#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace levin::core {

class ProcessClock {
 public:
  using duration = std::chrono::milliseconds;

  // Returns the time since construction. Any thread may call it; it must be called at least every half second in total.
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
