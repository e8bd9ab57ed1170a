// Rates of two classes by the threshold.
#pragma once
#include <ATen/ATen.h>

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// One element for each distinct score, from the highest to the lowest: the rates if this score and higher ones are
// predicted as positive. Double.
struct RatesByThreshold {
  at::Tensor precision, recall, specificity;
};

// Returns numbers of true and false positives: double [T].
inline std::pair<at::Tensor, at::Tensor> positives_by_threshold(const at::Tensor& scores, const at::Tensor& positive) {
  const auto [sorted, order] = scores.sort(0, /*descending=*/true);
  const auto [values, inverse, counts] =
      at::unique_consecutive(sorted, /*return_inverse=*/false, /*return_counts=*/true);
  const at::Tensor last = counts.cumsum(0) - 1;
  const at::Tensor found = positive.index_select(0, order).to(at::kDouble).cumsum(0).index_select(0, last);
  return {found, (last + 1).to(at::kDouble) - found};
}

// The curve of precision and recall. Without positives the recall is 0.
inline RatesByThreshold precision_recall(const at::Tensor& scores, const at::Tensor& positive) {
  const auto [tp, fp] = positives_by_threshold(scores, positive);
  return {tp / (tp + fp), tp / positive.sum().clamp_min(1), {}};
}

// The ROC curve, which begins at a threshold above all scores. A rate without samples is 0.
inline RatesByThreshold sensitivity_specificity(const at::Tensor& scores, const at::Tensor& positive) {
  const auto [tp, fp] = positives_by_threshold(scores, positive);
  const at::Tensor all = positive.sum().to(at::kDouble), others = positive.numel() - all;
  const at::Tensor found = at::constant_pad_nd(tp, {1, 0}), wrong = at::constant_pad_nd(fp, {1, 0});
  return {{}, found / all.clamp_min(1), 1 - wrong / others.clamp_min(1)};
}

// Returns the area under the curve of precision and recall as a sum of steps.
inline at::Tensor steps_under(const RatesByThreshold& r) {
  return (at::diff(r.recall, 1, 0, at::zeros({1}, r.recall.options())) * r.precision).sum();
}

// Returns the highest `rate` where `other` is at least `least`; 0 if it never is.
inline at::Tensor best_of(const at::Tensor& rate, const at::Tensor& other, double least) {
  return at::constant_pad_nd(at::where(other >= least, rate, at::zeros_like(rate)), {0, 1}).max();
}

}  // namespace levin::metrics::named
#pragma GCC visibility pop
