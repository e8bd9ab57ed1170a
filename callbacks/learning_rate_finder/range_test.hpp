// The learning-rate range test: the rates to try, early stopping, and the suggestion. Source: Smith, Cyclical Learning
// Rates for Training Neural Networks, 2017.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace levin::learning_rate_finder {

struct RangeTest {
  double min_lr = 1e-8, max_lr = 1;
  int64_t steps = 100;
  bool exponential = true;                         // false = linear
  std::optional<double> early_stop_threshold = 4;  // nullopt = no early stop
};

// Returns the learning rate of step i, counted from 0. The first is min_lr and the last is max_lr.
double lr_of(const RangeTest& test, int64_t i);

// The losses of the test as an exponential moving average (0.98) with bias correction.
class Curve {
 public:
  explicit Curve(const RangeTest& test) : test_(test) {}
  // step: the number of optimizer steps done. Returns true if the loss has diverged and the test must stop.
  bool add(double lr, double loss, int64_t step);
  const std::vector<double>& lrs() const { return lrs_; }
  const std::vector<double>& losses() const { return losses_; }

 private:
  RangeTest test_;
  double average_ = 0, best_ = 0;
  std::vector<double> lrs_, losses_;
};

// Returns the index of the steepest descent of the loss over the learning rate, computed in single precision. The first
// `skip_begin` points, the last `skip_end` points and all non-finite points are left out. Returns nullopt if fewer than
// two points are left.
std::optional<size_t> steepest(const std::vector<double>& lrs, const std::vector<double>& losses,
                               size_t skip_begin = 10, size_t skip_end = 1);

}  // namespace levin::learning_rate_finder
