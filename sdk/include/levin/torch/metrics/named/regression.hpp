// The named metrics of regression. Several outputs: means of errors are over all numbers; r2, explained_variance and
// correlations are of each output, and their mean is the value.
#pragma once
#include "levin/torch/metrics/named/of_numbers.hpp"
#include "levin/torch/metrics/named/ranks.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// Below it, the size of a target counts as this: torchmetrics' limit.
constexpr double least_target = 1.17e-6;

struct mse : MeanOfNumbers<mse> {
  static at::Tensor values(const MetricChoice&, const Numbers& n) { return n.error().square(); }
};
struct rmse : mse {
  static at::Tensor value(const MetricChoice& choice, const at::Tensor& sums) {
    return mse::value(choice, sums).sqrt();
  }
};
struct mae : MeanOfNumbers<mae> {
  static at::Tensor values(const MetricChoice&, const Numbers& n) { return n.error().abs(); }
};
struct mean_error : MeanOfNumbers<mean_error> {
  static at::Tensor values(const MetricChoice&, const Numbers& n) { return n.error(); }
};
struct mape : MeanOfNumbers<mape> {
  static at::Tensor values(const MetricChoice&, const Numbers& n) {
    return n.error().abs() / n.target.abs().clamp_min(least_target);
  }
};
struct smape : MeanOfNumbers<smape> {
  static at::Tensor values(const MetricChoice&, const Numbers& n) {
    return 2 * n.error().abs() / (n.target.abs() + n.prediction.abs()).clamp_min(least_target);
  }
};
struct wmape : OfNumbers {
  static at::Tensor sums(const MetricChoice&, const Numbers& n) {
    return at::stack({n.error().abs().sum(), n.target.abs().sum()});
  }
  static at::Tensor value(const MetricChoice&, const at::Tensor& sums) {
    return sums[0] / sums[1].clamp_min(least_target);
  }
};
// NaN for numbers below -1.
struct msle : MeanOfNumbers<msle> {
  static at::Tensor values(const MetricChoice&, const Numbers& n) {
    return (n.prediction.log1p() - n.target.log1p()).square();
  }
};
struct huber : MeanOfNumbers<huber> {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 1e-12, 1e12); }
  static at::Tensor values(const MetricChoice& choice, const Numbers& n) {
    return at::huber_loss(n.prediction, n.target, at::Reduction::None, choice.numbers[0]);
  }
};
struct log_cosh : MeanOfNumbers<log_cosh> {
  static at::Tensor values(const MetricChoice&, const Numbers& n) {
    const at::Tensor size = n.error().abs();
    return size + (-2 * size).exp().log1p() - std::log(2.0);
  }
};
struct pinball : MeanOfNumbers<pinball> {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 0, 1); }
  static at::Tensor values(const MetricChoice& choice, const Numbers& n) {
    const at::Tensor below = n.target - n.prediction;
    return at::maximum(choice.numbers[0] * below, (choice.numbers[0] - 1) * below);
  }
};
// NaN or infinite for numbers that the distribution does not have: power 1 needs targets >= 0 and predictions > 0,
// power 2 both > 0.
struct tweedie_deviance : MeanOfNumbers<tweedie_deviance> {
  static void check(const MetricChoice& choice, int64_t) {
    const double p = choice.number(0, -100, 100);
    if (p > 0 && p < 1)
      throw Error(LEVIN_E_INVALID,
                  "metric '" + choice.text + "': there is no Tweedie distribution with a power between 0 and 1");
  }
  static at::Tensor values(const MetricChoice& choice, const Numbers& n) {
    const double p = choice.numbers[0];
    const at::Tensor &y = n.prediction, &t = n.target;
    if (p == 0) return (t - y).square();
    if (p == 1) return 2 * (at::xlogy(t, t / y) + y - t);
    if (p == 2) return 2 * ((y / t).log() + t / y - 1);
    const at::Tensor of_target = (p < 0 ? t.clamp_min(0) : t).pow(2 - p) / ((1 - p) * (2 - p));
    return 2 * (of_target - t * y.pow(1 - p) / (1 - p) + y.pow(2 - p) / (2 - p));
  }
};
struct minkowski : OfNumbers {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 1, 1000); }
  static at::Tensor sums(const MetricChoice& choice, const Numbers& n) {
    return n.error().abs().pow(choice.numbers[0]).sum();
  }
  static at::Tensor value(const MetricChoice& choice, const at::Tensor& sums) {
    return sums.pow(1 / choice.numbers[0]);
  }
};

// Targets that are all equal: 1 if the prediction is right, else 0, as in sklearn. NaN for a single sample.
struct r2 : OfMoments {
  static at::Tensor value(const Moments& m) {
    const at::Tensor exact = m.squared_error.eq(0).to(at::kDouble);
    return at::where(m.n < 2, not_a_number(m.n), at::where(m.same_t(), exact, 1 - m.squared_error / m.tt));
  }
};
// Targets that are all equal: 1 if the predictions are too, else 0.
struct explained_variance : OfMoments {
  static at::Tensor value(const Moments& m) {
    return at::where(m.same_t(), m.same_y().to(at::kDouble), 1 - m.ee / m.tt);
  }
};
// NaN if all predictions or all targets are equal.
struct pearson : OfMoments {
  static at::Tensor value(const Moments& m) {
    const at::Tensor found = (m.yt / (m.yy * m.tt).sqrt()).clamp(-1, 1);
    return at::where(m.same_y().logical_or(m.same_t()), not_a_number(found), found);
  }
};
// With variances over n - 1, as in torchmetrics. NaN if all predictions or all targets are equal.
struct concordance : OfMoments {
  static at::Tensor value(const Moments& m) {
    const at::Tensor found = 2 * m.yt / (m.yy + m.tt + (m.n - 1) * (m.mean_y - m.mean_t).square());
    return at::where(m.same_y().logical_or(m.same_t()), not_a_number(found), found);
  }
};

struct max_error : OfAllNumbers {
  static at::Tensor value(const AllNumbers& n) { return (n.prediction - n.target).abs().max(); }
};
struct median_absolute_error : OfAllNumbers {
  static at::Tensor value(const AllNumbers& n) { return (n.prediction - n.target).abs().quantile(0.5, 0).mean(); }
};
// Equal numbers have the mean of their ranks. NaN if all predictions or all targets are equal.
struct spearman : OfAllNumbers {
  static at::Tensor value(const AllNumbers& n) {
    std::vector<at::Tensor> each;
    for (int64_t d = 0; d < n.target.size(1); ++d)
      each.push_back(correlation(ranks_of(n.prediction.select(1, d)), ranks_of(n.target.select(1, d))));
    return at::stack(each).mean();
  }
};
// Computed on the CPU in n log n. NaN if all predictions or all targets are equal.
struct kendall : OfAllNumbers {
  static at::Tensor value(const AllNumbers& n) {
    double sum = 0;
    for (int64_t d = 0; d < n.target.size(1); ++d) sum += tau_b(n.prediction.select(1, d), n.target.select(1, d));
    return scalar(sum / static_cast<double>(n.target.size(1)), n.target);
  }
};
// NaN for a row of zeros.
struct cosine_similarity : OfNumbers {
  static at::Tensor sums(const MetricChoice&, const Numbers& n) {
    const at::Tensor lengths = n.prediction.norm(2, 1) * n.target.norm(2, 1);
    const at::Tensor cosines = (n.prediction * n.target).sum(1) / lengths;
    return at::stack({cosines.sum(), scalar(static_cast<double>(cosines.numel()), cosines)});
  }
  static at::Tensor value(const MetricChoice&, const at::Tensor& sums) { return sums[0] / sums[1]; }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
