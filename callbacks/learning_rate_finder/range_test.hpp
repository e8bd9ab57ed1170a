// The learning-rate range test: which rates are tried, when it stops, and what it suggests. Pure.
// Source: Smith, Cyclical Learning Rates for Training Neural Networks, 2017.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace levin::learning_rate_finder {

struct RangeTest {
  double min_lr = 1e-8, max_lr = 1;
  int64_t steps = 100;
  bool exponential = true;                         // else linear
  std::optional<double> early_stop_threshold = 4;  // nothing: never
};

// The rate of step i, from 0: min_lr first, max_lr last.
double lr_of(const RangeTest& test, int64_t i);

// Losses of the test, smoothed (0.98, corrected for the bias of the start).
class Curve {
 public:
  explicit Curve(const RangeTest& test) : test_(test) {}
  // step: optimizer steps done. True: the loss has diverged, and the test is to stop.
  bool add(double lr, double loss, int64_t step);
  const std::vector<double>& lrs() const { return lrs_; }
  const std::vector<double>& losses() const { return losses_; }

 private:
  RangeTest test_;
  double average_ = 0, best_ = 0;
  std::vector<double> lrs_, losses_;
};

// The index of the steepest descent of the loss over the rate, in single precision, among the finite points without the
// first and last ones; nothing where fewer than two are left.
std::optional<size_t> steepest(const std::vector<double>& lrs, const std::vector<double>& losses,
                               size_t skip_begin = 10, size_t skip_end = 1);

}  // namespace levin::learning_rate_finder
