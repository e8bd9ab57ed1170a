// The time spent in training, over several runs, and its limit. The caller passes the time of the clock, in seconds.
#pragma once
#include <optional>

namespace levin::timer {

class Stopwatch {
 public:
  explicit Stopwatch(std::optional<double> limit) : limit_(limit) {}

  void start(double now) { since_ = now; }
  void stop(double now) {
    before_ = elapsed(now);
    since_.reset();
  }
  double elapsed(double now) const { return before_ + (since_ ? now - *since_ : 0); }
  std::optional<double> remaining(double now) const {
    if (!limit_) return std::nullopt;
    return *limit_ - elapsed(now);
  }
  bool expired(double now) const { return limit_ && elapsed(now) >= *limit_; }
  const std::optional<double>& limit() const { return limit_; }
  // Adds the time of an earlier run.
  void add(double seconds) { before_ += seconds; }

 private:
  std::optional<double> limit_, since_;
  double before_ = 0;
};

}  // namespace levin::timer
