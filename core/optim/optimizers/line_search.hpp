// A line search for the strong Wolfe conditions, as Python's torch.optim.LBFGS does it.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

namespace levin::core {

struct LinePoint {
  double t = 0;  // step along the direction
  double loss = 0;
  at::Tensor grad;   // flat
  double slope = 0;  // grad . direction
};

struct LineSearch {
  std::function<LinePoint(double t)> evaluate;  // slope is left to the search
  at::Tensor direction;
  double tolerance_change = 1e-9;
  double armijo = 1e-4, curvature = 0.9;
  int max_steps = 25;
};

struct LineSearchResult {
  LinePoint point;
  int64_t evaluations = 0;
};

// start: t = 0 with loss, grad and slope. t: the first step to try.
LineSearchResult strong_wolfe(const LineSearch& search, const LinePoint& start, double t);

// The minimum of the cubic through two points with their slopes, kept within [low, high].
double cubic_minimum(const LinePoint& a, const LinePoint& b, double low, double high);

}  // namespace levin::core
