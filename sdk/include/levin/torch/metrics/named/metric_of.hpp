// What a named metric keeps of the batches. A metric is a struct that derives from one of these bases, and has the
// functions that are named beside it. All are static and return a scalar double, sums() a tensor. Where there is
// sums(), value() is value(const MetricChoice&, const at::Tensor& sums).
//
//   OfCells       the confusion matrix               value(const Cells&)
//   OfCounts      counts of each class or label      value(const ClassCounts&)
//   OfScores      sums over the samples of classes   sums(const MetricChoice&, const Scores&)
//   OfLabels      sums over the samples of labels    sums(const MetricChoice&, const LabelScores&)
//   OfAllScores   all scores of classes or labels    value(const AllScores&)
//   OfNumbers     sums over the numbers              sums(const MetricChoice&, const Numbers&)
//   OfMoments     means and variances                value(const Moments&)
//   OfAllNumbers  all numbers                        value(const AllNumbers&)
//
// check(choice, classes) may refuse arguments. The same samples have the same value, however they are split into
// batches and ranks, up to the rounding of sums.
#pragma once
#include <functional>
#include <memory>

#include "levin/torch/metrics/metric.hpp"
#include "levin/torch/metrics/named/choice.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// What the inputs of a named metric are: of classes, labels, or, if both are 0, numbers. logits: the scores are logits
// or log-probabilities; otherwise a row of scores in [0, 1], of classes with the sum 1, is taken for probabilities.
struct MetricInputs {
  int64_t classes = 0;
  bool logits = false;
  int64_t labels = 0;
  MetricTarget target() const {
    if (classes > 0) return MetricTarget::classes;
    return labels > 0 ? MetricTarget::labels : MetricTarget::numbers;
  }
};

struct NamedMetric {
  std::string name;  // as it is logged, after val_ or test_
  std::shared_ptr<Metric> metric;
  std::function<void(const at::Tensor& prediction, const at::Tensor& target)> update;
};

namespace named {

// The default of all metrics: every argument that the table allows.
struct AnyMetric {
  static void check(const MetricChoice&, int64_t /*classes*/) {}
};

// Returns part / whole element by element; 0 if the whole is 0.
inline at::Tensor ratio(const at::Tensor& part, const at::Tensor& whole) {
  return at::where(whole == 0, at::zeros_like(part), part / at::where(whole == 0, at::ones_like(whole), whole));
}
inline at::Tensor scalar(double value, const at::Tensor& like) {
  return at::full({}, value, like.options().dtype(at::kDouble));
}
inline at::Tensor not_a_number(const at::Tensor& like) {
  return scalar(std::numeric_limits<double>::quiet_NaN(), like);
}

// The state of a metric whose sums over each batch are added up.
template <class Batch>
class SumsMetric : public Metric {
 public:
  using Sums = at::Tensor (*)(const MetricChoice&, const Batch&);
  using Value = at::Tensor (*)(const MetricChoice&, const at::Tensor& sums);
  SumsMetric(MetricChoice choice, MetricInputs inputs, Sums sums, Value function)
      : Metric({{"sums", LEVIN_REDUCE_SUM, {}}}),
        choice_(std::move(choice)),
        inputs_(inputs),
        sums_(sums),
        value_(function) {}
  void update(const at::Tensor& prediction, const at::Tensor& target) {
    const at::NoGradGuard no_grad;
    if (target.numel() > 0) merge(0, sums_(choice_, Batch(prediction.detach(), target, inputs_)));
  }
  at::Tensor value() const override { return empty() ? nothing() : value_(choice_, state(0)); }

 private:
  MetricChoice choice_;
  MetricInputs inputs_;
  Sums sums_;
  Value value_;
};

// The state of a metric that needs all predictions and targets.
template <class All>
class SamplesMetric : public Metric {
 public:
  using Value = at::Tensor (*)(const All&);
  SamplesMetric(MetricChoice choice, MetricInputs inputs, Value function)
      : Metric({{"preds", LEVIN_REDUCE_CAT, {}}, {"target", LEVIN_REDUCE_CAT, {}}}),
        choice_(std::move(choice)),
        inputs_(inputs),
        value_(function) {}
  void update(const at::Tensor& prediction, const at::Tensor& target) {
    if (target.numel() == 0) return;
    const auto [rows, wanted] = All::rows(prediction.detach(), target, inputs_);
    merge(0, rows);
    merge(1, wanted);
  }
  at::Tensor value() const override { return empty() ? nothing() : value_(All(choice_, state(0), state(1), inputs_)); }

 private:
  MetricChoice choice_;
  MetricInputs inputs_;
  Value value_;
};

// Functions of a metric are passed as pointers, so that metrics share the code of their states.
template <class State, class... Functions>
NamedMetric named_metric_of(const MetricChoice& choice, const MetricInputs& inputs, Functions... functions) {
  auto metric = std::make_shared<State>(choice, inputs, functions...);
  return {choice.logged_name(), metric, [m = metric.get()](const at::Tensor& prediction, const at::Tensor& target) {
            m->update(prediction, target);
          }};
}

// Returns the metric M with these arguments. Throws Error for arguments that it cannot have.
template <class M>
NamedMetric make(const MetricChoice& choice, const MetricInputs& inputs) {
  M::check(choice, inputs.classes);
  return M::template made<M>(choice, inputs);
}

}  // namespace named
}  // namespace levin::metrics
#pragma GCC visibility pop
