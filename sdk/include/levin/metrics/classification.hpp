// Metrics of predicted classes. Predictions: scores [N, C] or [N, C, ...] of C classes, classes [N, ...], or for two
// classes scores [N] of the second one (probabilities; numbers outside [0, 1] are logits). Targets: classes [N, ...].
#pragma once
#include "levin/metrics/metric.hpp"

namespace levin::metrics {

// micro: of all samples together; macro: the mean over the classes that were seen or predicted.
enum class Average { micro, macro };

struct ClassificationOptions {
  int64_t classes = 2;
  Average average = Average::micro;
  int64_t top_k = 1;            // scores: a target among the k greatest counts as predicted
  int64_t ignore_index = -100;  // targets that are left out
};

namespace detail_of {

// Classes [M] from predictions; where top_k > 1 the target itself if it is among the greatest.
inline at::Tensor classes_of(at::Tensor prediction, const at::Tensor& target, const ClassificationOptions& o) {
  if (!prediction.is_floating_point()) return prediction.reshape(-1);
  if (prediction.dim() == target.dim()) {
    const at::Tensor logits = at::logical_or(prediction<0, prediction> 1).any();
    prediction = at::where(logits, prediction.sigmoid(), prediction);
    return (prediction > 0.5).to(at::kLong).reshape(-1);
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
  at::Tensor matrix() const { return state(0); }  // int64 [C, C]; undefined: nothing was seen
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
  // part / whole of each class or of all; 0 where the whole is 0.
  at::Tensor average(const at::Tensor& part, const at::Tensor& whole, const Counts& c) const {
    if (o_.average == Average::micro) return divided(part.sum(), whole.sum());
    const at::Tensor seen = (c.tp + c.fp + c.fn > 0).to(at::kDouble);
    return (divided(part, whole) * seen).sum() / seen.sum();
  }

 private:
  static at::Tensor divided(const at::Tensor& part, const at::Tensor& whole) {
    return at::where(whole > 0, part / whole.clamp_min(1), at::zeros_like(part));
  }
  ClassificationOptions o_;
};

// macro: the mean of the classes' recalls.
class Accuracy : public ConfusionMatrix {
 public:
  using ConfusionMatrix::ConfusionMatrix;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(c.tp, c.tp + c.fn, c);
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

class Recall : public Accuracy {
 public:
  using Accuracy::Accuracy;
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
