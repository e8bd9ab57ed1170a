// Metrics of multilabel classification. Scores: [N, L] or [N, L, ...] of L labels (probabilities; logits if any in the
// batch is outside [0, 1]), or 0 and 1. Targets: 0 and 1, of the same shape.
#pragma once
#include "levin/torch/metrics/average.hpp"
#include "levin/torch/metrics/counts.hpp"
#include "levin/torch/metrics/metric.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// Average::macro is over all labels, including labels without samples.
struct MultilabelOptions {
  int64_t labels = 2;
  Average average = Average::macro;
  double threshold = 0.5;       // the probability above which a label is predicted
  int64_t ignore_index = -100;  // single targets with this value are left out
};

namespace detail_of {

inline void check(const MultilabelOptions& options) {
  if (options.labels < 1) throw Error(LEVIN_E_INVALID, "a metric of labels needs at least one");
  if (options.average == Average::binary)
    throw Error(LEVIN_E_INVALID, "a metric of labels averages with Average::micro, macro or weighted, not binary");
  if (!(options.threshold >= 0 && options.threshold <= 1))
    throw Error(LEVIN_E_INVALID, "the threshold of a metric of labels is a probability, from 0 to 1, not " +
                                     std::to_string(options.threshold));
}

// Returns `given` [N, L, ...] as rows [M, L]. `given` and `other` are scores and targets and must have the same shape.
inline at::Tensor rows_of_labels(const at::Tensor& given, const at::Tensor& other, int64_t labels) {
  if (given.dim() < 2 || given.size(1) != labels || given.sizes() != other.sizes())
    throw Error(LEVIN_E_INVALID, "a metric of " + std::to_string(labels) + " labels takes scores and targets [N, " +
                                     std::to_string(labels) + "] or [N, " + std::to_string(labels) +
                                     ", ...], of the same shape");
  return given.movedim(1, -1).reshape({-1, labels});
}

}  // namespace detail_of

// The fraction of correct labels. The constructor throws Error for invalid combinations of options.
class MultilabelAccuracy : public Metric {
 public:
  explicit MultilabelAccuracy(MultilabelOptions options)
      : Metric({{"counts", LEVIN_REDUCE_SUM, {}}}), options_(options) {
    detail_of::check(options_);
  }
  explicit MultilabelAccuracy(int64_t labels) : MultilabelAccuracy(MultilabelOptions{labels}) {}

  void update(const at::Tensor& scores, const at::Tensor& target) {
    const at::NoGradGuard no_grad;
    at::Tensor given = detail_of::rows_of_labels(scores.detach(), target, options_.labels);
    const at::Tensor wanted = detail_of::rows_of_labels(target, scores, options_.labels);
    if (given.is_floating_point()) {
      const at::Tensor logits = at::logical_or(given<0, given> 1).any();
      given = at::where(logits, given.sigmoid(), given).gt(options_.threshold);
    }
    const at::Tensor yes = given.to(at::kBool), no = yes.logical_not(), counts = wanted.ne(options_.ignore_index);
    const at::Tensor is = wanted.eq(1).logical_and(counts), is_not = wanted.eq(0).logical_and(counts);
    const auto both = [](const at::Tensor& a, const at::Tensor& b) { return a.logical_and(b).sum(0); };
    merge(0, at::stack({both(yes, is), both(yes, is_not), both(no, is_not), both(no, is)}));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    const at::Tensor all = state(0).to(at::kDouble);
    return average(all[0] + all[2], all.sum(0), counts());
  }

 protected:
  // The state is [4, L]: true positives, false positives, true negatives and false negatives.
  detail_of::Counts counts() const {
    const at::Tensor all = state(0).to(at::kDouble);
    return {all[0], all[1], all[3]};
  }
  // Returns part / whole per label, averaged, or of all labels together. A ratio whose whole is 0 is 0.
  at::Tensor average(const at::Tensor& part, const at::Tensor& whole, const detail_of::Counts& counts) const {
    if (options_.average == Average::micro) return divided(part.sum(), whole.sum());
    const at::Tensor of_label = divided(part, whole);
    if (options_.average == Average::macro) return of_label.mean();
    const at::Tensor seen = counts.seen();
    return divided((of_label * seen).sum(), seen.sum());
  }

 private:
  MultilabelOptions options_;
};

using MultilabelPrecision = detail_of::RatioMetric<MultilabelAccuracy, detail_of::PrecisionRatio>;
using MultilabelRecall = detail_of::RatioMetric<MultilabelAccuracy, detail_of::RecallRatio>;
using MultilabelF1Score = detail_of::RatioMetric<MultilabelAccuracy, detail_of::F1Ratio>;

}  // namespace levin::metrics
#pragma GCC visibility pop
