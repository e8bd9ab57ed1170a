// Errors of predicted numbers. Predictions and targets must have the same number of elements; targets are reshaped to
// the shape of the predictions.
#pragma once
#include "levin/torch/metrics/metric.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

class MeanSquaredError : public Metric {
 public:
  // With root the value is the square root of the mean.
  explicit MeanSquaredError(bool root = false)
      : Metric({{"sum_squared_error", LEVIN_REDUCE_SUM, {}}, {"total", LEVIN_REDUCE_SUM, {}}}), root_(root) {}
  void update(const at::Tensor& prediction, const at::Tensor& target) {
    const at::Tensor error = prediction.to(at::kDouble) - target.to(at::kDouble).view_as(prediction);
    merge(0, error.square().sum());
    merge(1, at::full({}, static_cast<double>(error.numel()), error.options()));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    const at::Tensor mean = state(0) / state(1);
    return root_ ? mean.sqrt() : mean;
  }

 private:
  bool root_;
};

class MeanAbsoluteError : public Metric {
 public:
  MeanAbsoluteError() : Metric({{"sum_abs_error", LEVIN_REDUCE_SUM, {}}, {"total", LEVIN_REDUCE_SUM, {}}}) {}
  void update(const at::Tensor& prediction, const at::Tensor& target) {
    const at::Tensor error = prediction.to(at::kDouble) - target.to(at::kDouble).view_as(prediction);
    merge(0, error.abs().sum());
    merge(1, at::full({}, static_cast<double>(error.numel()), error.options()));
  }
  at::Tensor value() const override { return empty() ? nothing() : state(0) / state(1); }
};

}  // namespace levin::metrics
#pragma GCC visibility pop
