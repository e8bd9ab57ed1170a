// Mean, sum, least and greatest of whatever numbers.
#pragma once
#include "levin/torch/metrics/metric.hpp"

namespace levin::metrics {

// Weighted: update(loss, rows) for losses that are means over batches of different sizes.
class Mean : public Metric {
 public:
  Mean() : Metric({{"sum", LEVIN_REDUCE_SUM, {}}, {"weight", LEVIN_REDUCE_SUM, {}}}) {}
  // values of any shape; the weight is that of each.
  void update(const at::Tensor& values, double weight = 1) {
    const at::Tensor v = values.to(at::kDouble);
    merge(0, v.sum() * weight);
    merge(1, at::full({}, weight * static_cast<double>(v.numel()), v.options()));
  }
  void update(double value, double weight = 1) { update(at::full({}, value, at::kDouble), weight); }
  at::Tensor value() const override { return empty() ? nothing() : state(0) / state(1); }
};

class Sum : public Metric {
 public:
  Sum() : Metric({{"sum", LEVIN_REDUCE_SUM, {}}}) {}
  void update(const at::Tensor& values) { merge(0, values.to(at::kDouble).sum()); }
  void update(double value) { update(at::full({}, value, at::kDouble)); }
  at::Tensor value() const override { return empty() ? nothing() : state(0); }
};

class Min : public Metric {
 public:
  Min() : Metric({{"min", LEVIN_REDUCE_MIN, {}}}) {}
  void update(const at::Tensor& values) { merge(0, values.to(at::kDouble).min()); }
  void update(double value) { update(at::full({}, value, at::kDouble)); }
  at::Tensor value() const override { return empty() ? nothing() : state(0); }
};

class Max : public Metric {
 public:
  Max() : Metric({{"max", LEVIN_REDUCE_MAX, {}}}) {}
  void update(const at::Tensor& values) { merge(0, values.to(at::kDouble).max()); }
  void update(double value) { update(at::full({}, value, at::kDouble)); }
  at::Tensor value() const override { return empty() ? nothing() : state(0); }
};

}  // namespace levin::metrics
