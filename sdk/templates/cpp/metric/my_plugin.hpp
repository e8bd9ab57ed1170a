// The mean probability that a classifier gives to the true class.
#pragma once
#include <levin/metrics.hpp>

class MyPlugin : public levin::metrics::Metric {
 public:
  // The state grows batch by batch. Each part says how the trainer combines it over the ranks: sum, min, max or cat.
  MyPlugin() : Metric({{"sum", LEVIN_REDUCE_SUM, {}}, {"total", LEVIN_REDUCE_SUM, {}}}) {}

  // scores: [N, C] as a network gives them; target: [N], the classes.
  void update(const at::Tensor& scores, const at::Tensor& target) {
    const at::Tensor probability = scores.softmax(1).gather(1, target.unsqueeze(1)).to(at::kDouble);
    merge(0, probability.sum());
    merge(1, at::full({}, static_cast<double>(target.numel()), probability.options()));
  }

  // The value of the epoch, from the states of all batches and ranks. The trainer resets the states.
  at::Tensor value() const override { return empty() ? nothing() : state(0) / state(1); }
};
