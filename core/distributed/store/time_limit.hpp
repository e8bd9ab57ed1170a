// A limit on the time that a process waits for others. Time in which it was stopped (Ctrl-Z) does not count.
#pragma once
#include <string>

#include "core/distributed/store/process_clock.hpp"

namespace levin::core {

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
