// Metrics of samples with several labels at once. Scores: [N, L] or [N, L, ...] of L labels (probabilities; if any of a
// batch is outside [0, 1] all are logits), or 0 and 1. Targets: 0 and 1, of the same shape.
#pragma once
#include "levin/torch/metrics/average.hpp"
#include "levin/torch/metrics/metric.hpp"

namespace levin::metrics {

// Average::macro is over all labels, also those that were never seen.
struct MultilabelOptions {
  int64_t labels = 2;
  Average average = Average::macro;
  double threshold = 0.5;       // the probability above which a label is predicted
  int64_t ignore_index = -100;  // targets that are left out, each for itself
};

namespace detail_of {

inline void check(const MultilabelOptions& o) {
  if (o.labels < 1) throw Error(LEVIN_E_INVALID, "a metric of labels needs at least one");
  if (o.average == Average::binary)
    throw Error(LEVIN_E_INVALID, "a metric of labels averages with Average::micro, macro or weighted, not binary");
  if (!(o.threshold >= 0 && o.threshold <= 1))
    throw Error(LEVIN_E_INVALID, "the threshold of a metric of labels is a probability, from 0 to 1, not " +
                                     std::to_string(o.threshold));
}

// [N, L, ...] as rows [M, L]; with: the other of scores and targets.
inline at::Tensor rows_of_labels(const at::Tensor& given, const at::Tensor& with, int64_t labels) {
  if (given.dim() < 2 || given.size(1) != labels || given.sizes() != with.sizes())
    throw Error(LEVIN_E_INVALID, "a metric of " + std::to_string(labels) + " labels takes scores and targets [N, " +
                                     std::to_string(labels) + "] or [N, " + std::to_string(labels) +
                                     ", ...], of the same shape");
  return given.movedim(1, -1).reshape({-1, labels});
}

}  // namespace detail_of

// What was right and wrong of each label. As a number, the part that was right.
class MultilabelAccuracy : public Metric {
 public:
  explicit MultilabelAccuracy(MultilabelOptions options) : Metric({{"counts", LEVIN_REDUCE_SUM, {}}}), o_(options) {
    detail_of::check(o_);
  }
  explicit MultilabelAccuracy(int64_t labels) : MultilabelAccuracy(MultilabelOptions{labels}) {}

  void update(const at::Tensor& scores, const at::Tensor& target) {
    const at::NoGradGuard no_grad;
    at::Tensor given = detail_of::rows_of_labels(scores.detach(), target, o_.labels);
    const at::Tensor wanted = detail_of::rows_of_labels(target, scores, o_.labels);
    if (given.is_floating_point()) {
      const at::Tensor logits = at::logical_or(given<0, given> 1).any();
      given = at::where(logits, given.sigmoid(), given).gt(o_.threshold);
    }
    const at::Tensor yes = given.to(at::kBool), no = yes.logical_not(), counts = wanted.ne(o_.ignore_index);
    const at::Tensor is = wanted.eq(1).logical_and(counts), is_not = wanted.eq(0).logical_and(counts);
    const auto both = [](const at::Tensor& a, const at::Tensor& b) { return a.logical_and(b).sum(0); };
    merge(0, at::stack({both(yes, is), both(yes, is_not), both(no, is_not), both(no, is)}));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(c.tp + c.tn, c.tp + c.fp + c.tn + c.fn, c);
  }

 protected:
  struct Counts {
    at::Tensor tp, fp, tn, fn;  // double [L]
  };
  Counts counts() const {
    const at::Tensor all = state(0).to(at::kDouble);
    return {all[0], all[1], all[2], all[3]};
  }
  // part / whole of each label, averaged, or of all; 0 where the whole is 0.
  at::Tensor average(const at::Tensor& part, const at::Tensor& whole, const Counts& c) const {
    if (o_.average == Average::micro) return divided(part.sum(), whole.sum());
    const at::Tensor of_label = divided(part, whole);
    if (o_.average == Average::macro) return of_label.mean();
    const at::Tensor seen = c.tp + c.fn;
    return divided((of_label * seen).sum(), seen.sum());
  }

 private:
  MultilabelOptions o_;
};

class MultilabelPrecision : public MultilabelAccuracy {
 public:
  using MultilabelAccuracy::MultilabelAccuracy;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(c.tp, c.tp + c.fp, c);
  }
};

class MultilabelRecall : public MultilabelAccuracy {
 public:
  using MultilabelAccuracy::MultilabelAccuracy;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(c.tp, c.tp + c.fn, c);
  }
};

class MultilabelF1Score : public MultilabelAccuracy {
 public:
  using MultilabelAccuracy::MultilabelAccuracy;
  at::Tensor value() const override {
    if (empty()) return nothing();
    const Counts c = counts();
    return average(2 * c.tp, 2 * c.tp + c.fp + c.fn, c);
  }
};

}  // namespace levin::metrics
