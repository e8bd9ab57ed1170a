// Metrics of classification. Predictions: scores [N, C] or [N, C, ...] of C classes, classes [N, ...], or for two
// classes scores [N] or [N, 1] of the second class (probabilities; logits if outside [0, 1]). Targets: classes [N,
// ...].
#pragma once
#include "levin/torch/metrics/average.hpp"
#include "levin/torch/metrics/counts.hpp"
#include "levin/torch/metrics/metric.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// Divisor of the cells of a confusion matrix: none (counts), the sum of the row (target), the sum of the column
// (prediction), or the sum of all cells.
enum class Normalize { none, target, prediction, all };

// Average::macro is over the classes that occur as target or prediction. The accuracy of Average::binary is of all
// samples.
struct ClassificationOptions {
  int64_t classes = 2;
  Average average = Average::micro;
  int64_t top_k = 1;            // with scores: a target among the k highest scores counts as predicted
  int64_t ignore_index = -100;  // samples with this target are left out
  double threshold = 0.5;       // with scores of the second class only: probability above which it is predicted
};

// Options for the second of two classes: Precision precision{binary()}.
inline ClassificationOptions binary(double threshold = 0.5) { return {2, Average::binary, 1, -100, threshold}; }

namespace detail_of {

// Returns the predicted classes [M]. With top_k > 1 the prediction is the target if it is among the k highest scores.
inline at::Tensor classes_of(at::Tensor prediction, const at::Tensor& target, const ClassificationOptions& options) {
  if (!prediction.is_floating_point()) return prediction.reshape(-1);
  const bool column = options.classes == 2 && prediction.dim() == target.dim() + 1 && prediction.size(1) == 1;
  if (column || prediction.dim() == target.dim()) {
    const at::Tensor logits = at::logical_or(prediction<0, prediction> 1).any();
    prediction = at::where(logits, prediction.sigmoid(), prediction);
    return (prediction > options.threshold).to(at::kLong).reshape(-1);
  }
  if (prediction.size(1) != options.classes)
    throw Error(LEVIN_E_INVALID, "the scores are of " + std::to_string(prediction.size(1)) +
                                     " classes, the metric of " + std::to_string(options.classes));
  prediction = prediction.movedim(1, -1).reshape({-1, options.classes});
  if (options.top_k == 1) return prediction.argmax(1);
  const at::Tensor best = std::get<1>(prediction.topk(options.top_k, 1));
  const at::Tensor flat = target.reshape({-1, 1});
  const at::Tensor found = best.eq(flat).any(1);
  return at::where(found, flat.squeeze(1), best.select(1, 0));
}

}  // namespace detail_of

// Counts [C, C] with a row per target and a column per prediction. Its value is the fraction on the diagonal. The
// constructor throws Error for invalid combinations of options.
class ConfusionMatrix : public Metric {
 public:
  explicit ConfusionMatrix(ClassificationOptions options)
      : Metric({{"confusion", LEVIN_REDUCE_SUM, {}}}), options_(options) {
    if (options_.classes < 2 || options_.top_k < 1 || options_.top_k > options_.classes)
      throw Error(LEVIN_E_INVALID, "a metric of classes needs at least two, and 1 <= top_k <= classes");
    if (options_.average == Average::binary && (options_.classes != 2 || options_.top_k != 1))
      throw Error(LEVIN_E_INVALID, "Average::binary is of two classes and top_k 1, not of " +
                                       std::to_string(options_.classes) + " classes and top_k " +
                                       std::to_string(options_.top_k) + "; for more classes: micro, macro, weighted");
    if (!(options_.threshold >= 0 && options_.threshold <= 1))
      throw Error(LEVIN_E_INVALID, "the threshold of a metric of classes is a probability, from 0 to 1, not " +
                                       std::to_string(options_.threshold));
  }
  explicit ConfusionMatrix(int64_t classes) : ConfusionMatrix(ClassificationOptions{classes}) {}

  void update(const at::Tensor& prediction, const at::Tensor& target) {
    const at::NoGradGuard no_grad;
    at::Tensor wanted = target.reshape(-1).to(at::kLong);
    at::Tensor given = detail_of::classes_of(prediction.detach(), target.to(at::kLong), options_).to(at::kLong);
    const at::Tensor counts = wanted.ne(options_.ignore_index).to(at::kLong);
    wanted = at::where(counts.to(at::kBool), wanted, at::zeros_like(wanted));
    const at::Tensor cells = at::zeros({options_.classes * options_.classes}, wanted.options());
    merge(0,
          cells.scatter_add(0, wanted * options_.classes + given, counts).view({options_.classes, options_.classes}));
  }
  // Returns counts (int64) or fractions (double), [C, C]; a fraction whose divisor is 0 is 0. Undefined without any
  // update.
  at::Tensor matrix(Normalize parts_of = Normalize::none) const {
    if (empty() || parts_of == Normalize::none) return state(0);
    const at::Tensor cells = state(0).to(at::kDouble);
    if (parts_of == Normalize::all) return divided(cells, cells.sum());
    return divided(cells, cells.sum(parts_of == Normalize::target ? 1 : 0, /*keepdim=*/true));
  }
  at::Tensor value() const override {
    return empty() ? nothing() : matrix().diagonal().sum().to(at::kDouble) / matrix().sum();
  }

 protected:
  detail_of::Counts counts() const {
    const at::Tensor cells = matrix().to(at::kDouble), right = cells.diagonal().contiguous();
    return {right, cells.sum(0) - right, cells.sum(1) - right};
  }
  // Returns part / whole per class, averaged, or of all classes together. A ratio whose whole is 0 is 0.
  at::Tensor average(const at::Tensor& part, const at::Tensor& whole, const detail_of::Counts& counts) const {
    if (options_.average == Average::micro) return divided(part.sum(), whole.sum());
    const at::Tensor of_class = divided(part, whole);
    if (options_.average == Average::binary) return of_class[1];
    const at::Tensor seen = counts.seen();
    const at::Tensor weight =
        options_.average == Average::weighted ? seen : (seen + counts.false_positives > 0).to(at::kDouble);
    return divided((of_class * weight).sum(), weight.sum());
  }
  bool is_binary() const { return options_.average == Average::binary; }

 private:
  ClassificationOptions options_;
};

// Average::macro is the mean recall of the classes. Average::binary, micro and weighted are the fraction of correct
// samples.
class Accuracy : public ConfusionMatrix {
 public:
  using ConfusionMatrix::ConfusionMatrix;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const detail_of::Counts all = counts();
    if (is_binary()) return divided(all.true_positives.sum(), all.seen().sum());
    return average(all.true_positives, all.seen(), all);
  }
};

using Precision = detail_of::RatioMetric<ConfusionMatrix, detail_of::PrecisionRatio>;
using Recall = detail_of::RatioMetric<ConfusionMatrix, detail_of::RecallRatio>;
using F1Score = detail_of::RatioMetric<ConfusionMatrix, detail_of::F1Ratio>;

}  // namespace levin::metrics
#pragma GCC visibility pop
