// Metrics of predicted classes. Predictions: scores [N, C] or [N, C, ...] of C classes, classes [N, ...], or for two
// classes scores [N] or [N, 1] of the second one (probabilities; numbers outside [0, 1] are logits). Targets: classes
// [N, ...].
#pragma once
#include "levin/torch/metrics/average.hpp"
#include "levin/torch/metrics/metric.hpp"

namespace levin::metrics {

// What the cells of a confusion matrix are parts of: nothing (counts), their row, their column, the whole.
enum class Normalize { none, target, prediction, all };

// Average::macro is over the classes that were seen or predicted; the accuracy of Average::binary is of all samples.
struct ClassificationOptions {
  int64_t classes = 2;
  Average average = Average::micro;
  int64_t top_k = 1;            // scores: a target among the k greatest counts as predicted
  int64_t ignore_index = -100;  // targets that are left out
  double threshold = 0.5;       // scores of the second class alone: the probability above which it is predicted
};

// Precision precision{binary()}: how well the second of two classes is found.
inline ClassificationOptions binary(double threshold = 0.5) { return {2, Average::binary, 1, -100, threshold}; }

namespace detail_of {

// Classes [M] from predictions; where top_k > 1 the target itself if it is among the greatest.
inline at::Tensor classes_of(at::Tensor prediction, const at::Tensor& target, const ClassificationOptions& o) {
  if (!prediction.is_floating_point()) return prediction.reshape(-1);
  const bool column = o.classes == 2 && prediction.dim() == target.dim() + 1 && prediction.size(1) == 1;
  if (column || prediction.dim() == target.dim()) {
    const at::Tensor logits = at::logical_or(prediction<0, prediction> 1).any();
    prediction = at::where(logits, prediction.sigmoid(), prediction);
    return (prediction > o.threshold).to(at::kLong).reshape(-1);
  }
  if (prediction.size(1) != o.classes)
    throw Error(LEVIN_E_INVALID, "the scores are of " + std::to_string(prediction.size(1)) +
                                     " classes, the metric of " + std::to_string(o.classes));
  prediction = prediction.movedim(1, -1).reshape({-1, o.classes});
  if (o.top_k == 1) return prediction.argmax(1);
  const at::Tensor best = std::get<1>(prediction.topk(o.top_k, 1));
  const at::Tensor flat = target.reshape({-1, 1});
  const at::Tensor found = best.eq(flat).any(1);
  return at::where(found, flat.squeeze(1), best.select(1, 0));
}

}  // namespace detail_of

// Counts [C, C]: row the target, column the prediction. As a number, the part on the diagonal.
class ConfusionMatrix : public Metric {
 public:
  explicit ConfusionMatrix(ClassificationOptions options) : Metric({{"confusion", LEVIN_REDUCE_SUM, {}}}), o_(options) {
    if (o_.classes < 2 || o_.top_k < 1 || o_.top_k > o_.classes)
      throw Error(LEVIN_E_INVALID, "a metric of classes needs at least two, and 1 <= top_k <= classes");
    if (o_.average == Average::binary && (o_.classes != 2 || o_.top_k != 1))
      throw Error(LEVIN_E_INVALID, "Average::binary is of two classes and top_k 1, not of " +
                                       std::to_string(o_.classes) + " classes and top_k " + std::to_string(o_.top_k) +
                                       "; for more classes: micro, macro, weighted");
    if (!(o_.threshold >= 0 && o_.threshold <= 1))
      throw Error(LEVIN_E_INVALID, "the threshold of a metric of classes is a probability, from 0 to 1, not " +
                                       std::to_string(o_.threshold));
  }
  explicit ConfusionMatrix(int64_t classes) : ConfusionMatrix(ClassificationOptions{classes}) {}

  void update(const at::Tensor& prediction, const at::Tensor& target) {
    const at::NoGradGuard no_grad;
    at::Tensor wanted = target.reshape(-1).to(at::kLong);
    at::Tensor given = detail_of::classes_of(prediction.detach(), target.to(at::kLong), o_).to(at::kLong);
    const at::Tensor counts = wanted.ne(o_.ignore_index).to(at::kLong);
    wanted = at::where(counts.to(at::kBool), wanted, at::zeros_like(wanted));
    const at::Tensor cells = at::zeros({o_.classes * o_.classes}, wanted.options());
    merge(0, cells.scatter_add(0, wanted * o_.classes + given, counts).view({o_.classes, o_.classes}));
  }
  // [C, C]: int64 counts, or double parts, 0 where the whole is 0. Undefined: nothing was seen.
  at::Tensor matrix(Normalize parts_of = Normalize::none) const {
    if (empty() || parts_of == Normalize::none) return state(0);
    const at::Tensor m = state(0).to(at::kDouble);
    if (parts_of == Normalize::all) return divided(m, m.sum());
    return divided(m, m.sum(parts_of == Normalize::target ? 1 : 0, /*keepdim=*/true));
  }
  at::Tensor value() const override {
    return empty() ? nothing() : matrix().diagonal().sum().to(at::kDouble) / matrix().sum();
  }

 protected:
  struct Counts {
    at::Tensor tp, fp, fn;  // double [C]
  };
  Counts counts() const {
    const at::Tensor m = matrix().to(at::kDouble), tp = m.diagonal().contiguous();
    return {tp, m.sum(0) - tp, m.sum(1) - tp};
  }
  // part / whole of each class, averaged, or of all; 0 where the whole is 0.
  at::Tensor average(const at::Tensor& part, const at::Tensor& whole, const Counts& c) const {
    if (o_.average == Average::micro) return divided(part.sum(), whole.sum());
    const at::Tensor of_class = divided(part, whole);
    if (o_.average == Average::binary) return of_class[1];
    const at::Tensor seen = c.tp + c.fn;
    const at::Tensor weight = o_.average == Average::weighted ? seen : (seen + c.fp > 0).to(at::kDouble);
    return divided((of_class * weight).sum(), weight.sum());
  }
  bool is_binary() const { return o_.average == Average::binary; }

 private:
  ClassificationOptions o_;
};

// macro: the mean of the classes' recalls. binary: the part of all samples that is right, as micro and weighted.
class Accuracy : public ConfusionMatrix {
 public:
  using ConfusionMatrix::ConfusionMatrix;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return is_binary() ? divided(c.tp.sum(), (c.tp + c.fn).sum()) : average(c.tp, c.tp + c.fn, c);
  }
};

class Precision : public ConfusionMatrix {
 public:
  using ConfusionMatrix::ConfusionMatrix;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(c.tp, c.tp + c.fp, c);
  }
};

class Recall : public ConfusionMatrix {
 public:
  using ConfusionMatrix::ConfusionMatrix;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(c.tp, c.tp + c.fn, c);
  }
};

class F1Score : public ConfusionMatrix {
 public:
  using ConfusionMatrix::ConfusionMatrix;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(2 * c.tp, 2 * c.tp + c.fp + c.fn, c);
  }
};

}  // namespace levin::metrics
