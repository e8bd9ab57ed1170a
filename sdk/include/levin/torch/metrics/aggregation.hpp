// Mean, sum, minimum and maximum of any numbers.
#pragma once
#include "levin/torch/metrics/metric.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// The weighted mean: update(loss, rows) is for losses that are means over batches of different size.
class Mean : public Metric {
 public:
  Mean() : Metric({{"sum", LEVIN_REDUCE_SUM, {}}, {"weight", LEVIN_REDUCE_SUM, {}}}) {}
  // values: any shape; weight: of each value.
  void update(const at::Tensor& values, double weight = 1) {
    const at::Tensor numbers = values.to(at::kDouble);
    merge(0, numbers.sum() * weight);
    merge(1, at::full({}, weight * static_cast<double>(numbers.numel()), numbers.options()));
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
#pragma GCC visibility pop
