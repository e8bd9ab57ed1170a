// The time that a process waits for others.
#pragma once
#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

namespace levin::core {

// Measures the time in which this process ran. Time in which it was stopped (Ctrl-Z, a suspended machine) does not
// count, so that other processes are not taken for silent while this one could not receive.
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

class TimeLimit {
 public:
  explicit TimeLimit(std::chrono::milliseconds limit) : limit_(limit) { begin(); }
  void begin() { end_ = clock_.now() + limit_; }
  // Returns true once the limit has passed. Call it at least twice a second.
  bool is_over() { return clock_.now() > end_; }

 private:
  const std::chrono::milliseconds limit_;
  ProcessClock clock_;
  std::chrono::milliseconds end_{0};
};

// Returns text such as "15 s", rounded up.
inline std::string in_seconds(std::chrono::milliseconds time) {
  return std::to_string((time.count() + 999) / 1000) + " s";
}

}  // namespace levin::core
