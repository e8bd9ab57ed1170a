// The states of metrics that compare predicted numbers with target numbers. The first dimension is that of the samples;
// the rest are outputs.
#pragma once
#include "levin/torch/metrics/named/metric_of.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// Predictions and targets as double [N, D].
struct Numbers {
  Numbers(const at::Tensor& given, const at::Tensor& wanted, const MetricInputs&) {
    if (given.numel() != wanted.numel())
      throw Error(LEVIN_E_INVALID, "a metric of numbers has " + std::to_string(given.numel()) + " predictions for " +
                                       std::to_string(wanted.numel()) + " targets");
    const int64_t n = given.dim() == 0 ? 1 : given.size(0);
    prediction = given.to(at::kDouble).reshape({n, -1});
    target = wanted.to(at::kDouble).reshape({n, -1});
  }
  at::Tensor error() const { return prediction - target; }
  at::Tensor prediction, target;
};

// Number, means, sums of squared and mixed deviations, and sum of squared errors, each double [D]. A batch keeps one
// row of them: their merge is exact where sums of squares would cancel.
class Moments {
 public:
  static at::Tensor row(const Numbers& n) {
    const at::Tensor y = n.prediction, t = n.target, error = n.error();
    const at::Tensor dy = y - y.mean(0), dt = t - t.mean(0), de = error - error.mean(0);
    const at::Tensor count = at::full({y.size(1)}, static_cast<double>(y.size(0)), y.options());
    return at::stack({count, y.mean(0), t.mean(0), error.mean(0), dy.square().sum(0), dt.square().sum(0),
                      (dy * dt).sum(0), de.square().sum(0), error.square().sum(0)})
        .unsqueeze(0);
  }
  Moments(const MetricChoice& with, const at::Tensor& rows) : choice(with) {
    const auto of = [&](int64_t i) { return rows.select(1, i); };
    const at::Tensor each = of(0);
    n = each.sum(0);
    const auto mean_of = [&](int64_t i) { return (each * of(i)).sum(0) / n; };
    mean_y = mean_of(1), mean_t = mean_of(2);
    const at::Tensor y = of(1) - mean_y, t = of(2) - mean_t, e = of(3) - mean_of(3);
    yy = (of(4) + each * y * y).sum(0), tt = (of(5) + each * t * t).sum(0), yt = (of(6) + each * y * t).sum(0);
    ee = (of(7) + each * e * e).sum(0), squared_error = of(8).sum(0);
  }
  // Returns true where all numbers were equal, up to the rounding of their mean.
  at::Tensor same_y() const { return yy <= n * (1e-14 * mean_y).square(); }
  at::Tensor same_t() const { return tt <= n * (1e-14 * mean_t).square(); }

  const MetricChoice& choice;
  at::Tensor n, mean_y, mean_t;
  at::Tensor yy, tt, yt, ee;  // sums over (y - mean_y)^2, (t - mean_t)^2, their product, (error - mean error)^2
  at::Tensor squared_error;
};

class MomentsMetric : public Metric {
 public:
  using Value = at::Tensor (*)(const Moments&);
  MomentsMetric(MetricChoice choice, MetricInputs inputs, Value function)
      : Metric({{"moments", LEVIN_REDUCE_CAT, {}}}), choice_(std::move(choice)), inputs_(inputs), value_(function) {}
  void update(const at::Tensor& prediction, const at::Tensor& target) {
    const at::NoGradGuard no_grad;
    if (target.numel() > 0) merge(0, Moments::row(Numbers(prediction.detach(), target, inputs_)));
  }
  at::Tensor value() const override { return empty() ? nothing() : value_(Moments(choice_, state(0))).mean(); }

 private:
  MetricChoice choice_;
  MetricInputs inputs_;
  Value value_;
};

// All predictions and targets, double [N, D].
struct AllNumbers {
  AllNumbers(const MetricChoice& with, const at::Tensor& predictions, const at::Tensor& targets, const MetricInputs&)
      : choice(with), prediction(predictions), target(targets) {}
  static std::pair<at::Tensor, at::Tensor> rows(const at::Tensor& prediction, const at::Tensor& target,
                                                const MetricInputs& inputs) {
    const Numbers numbers(prediction, target, inputs);
    return {numbers.prediction, numbers.target};
  }
  const MetricChoice& choice;
  at::Tensor prediction, target;
};

struct OfNumbers : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<SumsMetric<Numbers>>(choice, inputs, &M::sums, &M::value);
  }
};
struct OfMoments : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<MomentsMetric>(choice, inputs, &M::value);
  }
};
struct OfAllNumbers : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<SamplesMetric<AllNumbers>>(choice, inputs, &M::value);
  }
};

// The mean of M::values(numbers) over all of them.
template <class M>
struct MeanOfNumbers : OfNumbers {
  static at::Tensor sums(const MetricChoice& choice, const Numbers& n) {
    const at::Tensor values = M::values(choice, n);
    return at::stack({values.sum(), scalar(static_cast<double>(values.numel()), values)});
  }
  static at::Tensor value(const MetricChoice&, const at::Tensor& sums) { return sums[0] / sums[1]; }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
