// The area under the ROC curve, exactly: every score is kept until the metric is reset.
#pragma once
#include "levin/metrics/metric.hpp"

namespace levin::metrics {

// Two classes: scores [N] of the second one. More: scores [N, C], one class against the rest, the mean over the classes
// of which there are samples and others. Where all samples are of one class it is 0, so that a monitor of it goes on.
// Only the order of scores counts, so logits will do.
class AUROC : public Metric {
 public:
  explicit AUROC(int64_t classes = 2)
      : Metric({{"preds", LEVIN_REDUCE_CAT, {}}, {"target", LEVIN_REDUCE_CAT, {}}}), classes_(classes) {}

  void update(const at::Tensor& scores, const at::Tensor& target) {
    at::Tensor kept = scores.detach();
    if (classes_ == 2 && kept.dim() == 2) kept = kept.select(1, 1) - kept.select(1, 0);
    merge(0, kept);
    merge(1, target.reshape(-1));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    if (classes_ == 2) return at::nan_to_num(area(state(0).reshape(-1), state(1).eq(1)), 0.0);
    std::vector<at::Tensor> areas;
    for (int64_t c = 0; c < classes_; ++c) areas.push_back(area(state(0).select(1, c), state(1).eq(c)));
    return at::nan_to_num(at::nanmean(at::stack(areas)), 0.0);
  }

 private:
  // The chance that a positive is scored above a negative, ties counting half: by ranks (Mann and Whitney). NaN where
  // there are no positives or no negatives.
  static at::Tensor area(const at::Tensor& scores, const at::Tensor& positive) {
    const auto [sorted, order] = scores.to(at::kDouble).sort();
    const auto [values, inverse, counts] =
        at::unique_consecutive(sorted, /*return_inverse=*/true, /*return_counts=*/true);
    const at::Tensor last = counts.cumsum(0).to(at::kDouble);
    const at::Tensor ranks = last.index_select(0, inverse) - (counts.index_select(0, inverse).to(at::kDouble) - 1) / 2;
    const at::Tensor is_positive = positive.index_select(0, order).to(at::kDouble);
    const at::Tensor p = is_positive.sum(), n = static_cast<double>(scores.numel()) - p;
    return ((ranks * is_positive).sum() - p * (p + 1) / 2) / (p * n);
  }
  int64_t classes_;
};

}  // namespace levin::metrics
