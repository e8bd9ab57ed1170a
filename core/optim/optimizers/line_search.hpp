// A line search for the strong Wolfe conditions, with the steps of Python's torch.optim.LBFGS.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

namespace levin::core {

struct LinePoint {
  double step = 0;  // along the direction
  double loss = 0;
  at::Tensor grad;   // of all parameters, flattened
  double slope = 0;  // grad . direction
};

struct LineSearch {
  std::function<LinePoint(double step)> evaluate;  // does not set the slope
  at::Tensor direction;
  double tolerance_change = 1e-9;
  double armijo = 1e-4, curvature = 0.9;
  int max_steps = 25;
};

struct LineSearchResult {
  LinePoint point;
  int64_t evaluations = 0;
};

// start: the point at step 0, with its loss, gradient and slope. step: the first step to try.
LineSearchResult strong_wolfe(const LineSearch& search, const LinePoint& start, double step);

// Returns the minimum of the cubic through two points with these slopes, limited to [low, high].
double cubic_minimum(const LinePoint& a, const LinePoint& b, double low, double high);

}  // namespace levin::core
