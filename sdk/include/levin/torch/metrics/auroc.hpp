// The exact area under the ROC curve: all scores are kept until the metric is reset.
#pragma once
#include "levin/torch/metrics/average.hpp"
#include "levin/torch/metrics/metric.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

struct AUROCOptions {
  int64_t classes = 2;
  Average average = Average::macro;  // over the classes; macro or weighted
  double max_fpr = 1;                // two classes: area up to this false-positive rate, scaled so that chance is 0.5
  int64_t ignore_index = -100;       // samples with this target are left out
};

namespace detail_of {

// Returns the area under the ROC curve as a scalar double. scores: [N]; positive: [N]. Ties count half. With max_fpr <
// 1 only the area to its left counts, scaled so that chance has 0.5 and the best score 1 (McClish). Without positives
// or without negatives the area is 0.
inline at::Tensor area_under_roc(const at::Tensor& scores, const at::Tensor& positive, double max_fpr = 1) {
  if (scores.numel() == 0) return at::zeros({}, scores.options().dtype(at::kDouble));
  const auto [sorted, order] = scores.to(at::kDouble).sort(0, /*descending=*/true);
  const auto [values, inverse, counts] =
      at::unique_consecutive(sorted, /*return_inverse=*/false, /*return_counts=*/true);
  // The corners of the curve: numbers of positives and negatives with at least this score, and with a higher one.
  const at::Tensor last = counts.cumsum(0);
  const at::Tensor tp = positive.index_select(0, order).cumsum(0).index_select(0, last - 1).to(at::kDouble);
  const at::Tensor fp = last.to(at::kDouble) - tp;
  const at::Tensor tp_before = at::constant_pad_nd(tp, {1, -1}), fp_before = at::constant_pad_nd(fp, {1, -1});
  const at::Tensor p = tp[-1], n = fp[-1], length = fp - fp_before;
  // The width of each segment left of max_fpr, and the height of the curve at its end.
  const at::Tensor width = at::minimum(length, (n * max_fpr - fp_before).clamp_min(0));
  const at::Tensor part = at::where(length > 0, width / length.clamp_min(1), at::zeros_like(length));
  const at::Tensor height = tp_before + (tp - tp_before) * part;
  const at::Tensor area = (width * (tp_before + height) / 2).sum() / (p * n).clamp_min(1);
  if (max_fpr == 1) return area;
  const double chance = max_fpr * max_fpr / 2;
  const at::Tensor scaled = (1 + (area - chance) / (max_fpr - chance)) / 2;
  return at::where(p * n > 0, scaled, at::zeros_like(scaled));
}

// Returns the mean of the areas, or the mean weighted by the number of samples of each class.
inline at::Tensor average_of(const std::vector<at::Tensor>& areas, const std::vector<at::Tensor>& seen, Average by) {
  const at::Tensor each = at::stack(areas);
  if (by == Average::macro) return each.mean();
  const at::Tensor weight = at::stack(seen).to(at::kDouble);
  return (each * weight).sum() / weight.sum().clamp_min(1);
}

}  // namespace detail_of

// Two classes: scores [N] of the second class, of which only the order counts, or [N, 2]. More classes: scores [N, C]
// or [N, C, ...] (probabilities; logits if any is outside [0, 1]), one class against the rest. Targets: classes [N] or
// [N, ...]. A class without samples, or without samples of other classes, has the value 0, as in torchmetrics.
class AUROC : public Metric {
 public:
  explicit AUROC(AUROCOptions options)
      : Metric({{"preds", LEVIN_REDUCE_CAT, {}}, {"target", LEVIN_REDUCE_CAT, {}}}), options_(options) {
    if (options_.classes < 2) throw Error(LEVIN_E_INVALID, "AUROC needs at least two classes");
    if (options_.average != Average::macro && options_.average != Average::weighted)
      throw Error(LEVIN_E_INVALID, "AUROC averages with Average::macro or Average::weighted");
    if (!(options_.max_fpr > 0 && options_.max_fpr <= 1))
      throw Error(LEVIN_E_INVALID,
                  "max_fpr of AUROC is above 0 and at most 1, not " + std::to_string(options_.max_fpr));
    if (options_.max_fpr < 1 && options_.classes != 2)
      throw Error(LEVIN_E_INVALID, "max_fpr of AUROC is for two classes, not " + std::to_string(options_.classes));
  }
  explicit AUROC(int64_t classes = 2) : AUROC(AUROCOptions{classes}) {}

  void update(const at::Tensor& scores, const at::Tensor& target) {
    at::Tensor kept = scores.detach();
    const bool of_each =
        kept.dim() > 1 && kept.size(1) == options_.classes && kept.numel() == options_.classes * target.numel();
    if (!of_each && (options_.classes > 2 || kept.numel() != target.numel()))
      throw Error(LEVIN_E_INVALID, "AUROC of " + std::to_string(options_.classes) + " classes takes scores [N, " +
                                       std::to_string(options_.classes) + "]" +
                                       (options_.classes == 2 ? " or [N]" : "") + " and targets [N], not " +
                                       std::to_string(kept.numel()) + " scores for " + std::to_string(target.numel()) +
                                       " targets");
    if (of_each) kept = kept.movedim(1, -1).reshape({-1, options_.classes});
    if (of_each && options_.classes == 2) kept = kept.select(1, 1) - kept.select(1, 0);
    merge(0, of_each ? kept : kept.reshape(-1));
    merge(1, target.reshape(-1));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    const at::Tensor counted = state(1).ne(options_.ignore_index).nonzero().squeeze(1);
    const at::Tensor target = state(1).index_select(0, counted);
    at::Tensor scores = state(0).index_select(0, counted).to(at::kDouble);
    if (options_.classes == 2) return detail_of::area_under_roc(scores, target.eq(1), options_.max_fpr);
    const at::Tensor logits = at::logical_or(scores<0, scores> 1).any();
    scores = at::where(logits, scores.softmax(1), scores);
    std::vector<at::Tensor> areas, seen;
    for (int64_t c = 0; c < options_.classes; ++c) {
      areas.push_back(detail_of::area_under_roc(scores.select(1, c), target.eq(c)));
      seen.push_back(target.eq(c).sum());
    }
    return detail_of::average_of(areas, seen, options_.average);
  }

 private:
  AUROCOptions options_;
};

}  // namespace levin::metrics
#pragma GCC visibility pop
