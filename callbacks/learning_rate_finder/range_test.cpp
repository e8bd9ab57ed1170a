#include "range_test.hpp"

#include <cmath>

namespace levin::learning_rate_finder {
namespace {

constexpr double beta = 0.98;

// Returns the derivative over unevenly spaced points, as torch.gradient: second order inside, first order at the ends.
std::vector<float> gradient(const std::vector<float>& y, const std::vector<float>& x) {
  const size_t n = y.size();
  std::vector<float> out(n);
  out[0] = (y[1] - y[0]) / (x[1] - x[0]);
  out[n - 1] = (y[n - 1] - y[n - 2]) / (x[n - 1] - x[n - 2]);
  for (size_t i = 1; i + 1 < n; ++i) {
    const float dx1 = x[i] - x[i - 1], dx2 = x[i + 1] - x[i];
    const float a = -dx2 / (dx1 * (dx1 + dx2)), b = (dx2 - dx1) / (dx1 * dx2), c = dx1 / (dx2 * (dx1 + dx2));
    const float before = a * y[i - 1], here = b * y[i], after = c * y[i + 1];
    out[i] = (before + here) + after;
  }
  return out;
}

}  // namespace

double lr_of(const RangeTest& test, int64_t i) {
  if (i < 1) return test.min_lr;
  const double part = static_cast<double>(i + 1) / static_cast<double>(test.steps);
  if (test.exponential) return test.min_lr * std::pow(test.max_lr / test.min_lr, part);
  return test.min_lr + part * (test.max_lr - test.min_lr);
}

bool Curve::add(double lr, double loss, int64_t step) {
  average_ = beta * average_ + (1 - beta) * loss;
  const double smoothed = average_ / (1 - std::pow(beta, static_cast<double>(step + 1)));
  const bool diverged = test_.early_stop_threshold && step > 1 && smoothed > *test_.early_stop_threshold * best_;
  if (smoothed < best_ || step == 1) best_ = smoothed;
  lrs_.push_back(lr);
  losses_.push_back(smoothed);
  return diverged;
}

std::optional<size_t> steepest(const std::vector<double>& lrs, const std::vector<double>& losses, size_t skip_begin,
                               size_t skip_end) {
  std::vector<float> x, y;
  std::vector<size_t> index;
  for (size_t i = skip_begin; i + skip_end < losses.size(); ++i) {
    if (!std::isfinite(static_cast<float>(losses[i]))) continue;
    x.push_back(static_cast<float>(lrs[i]));
    y.push_back(static_cast<float>(losses[i]));
    index.push_back(i);
  }
  if (y.size() < 2) return std::nullopt;
  const std::vector<float> slopes = gradient(y, x);
  size_t best = 0;
  for (size_t i = 0; i < slopes.size(); ++i) {
    if (std::isnan(slopes[i])) return index[i];  // as in argmin, where a NaN counts as the lowest value
    if (slopes[i] < slopes[best]) best = i;
  }
  return index[best];
}

}  // namespace levin::learning_rate_finder
