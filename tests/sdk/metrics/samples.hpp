// Tensors for tests of metrics, and their batches.
#pragma once
#include <vector>

#include "levin/metrics.hpp"

inline at::Tensor classes(const std::vector<int64_t>& values) { return at::tensor(values, at::kLong); }
inline at::Tensor numbers(const std::vector<double>& values) { return at::tensor(values, at::kDouble); }

// Computes the metric from the same samples in batches of different sizes.
template <class M>
double in_batches(M metric, const at::Tensor& prediction, const at::Tensor& target, const std::vector<int64_t>& sizes) {
  int64_t at = 0;
  for (const int64_t n : sizes) {
    metric.update(prediction.narrow(0, at, n), target.narrow(0, at, n));
    at += n;
  }
  return metric.compute();
}
