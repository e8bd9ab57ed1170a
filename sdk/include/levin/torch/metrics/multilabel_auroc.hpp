// The area under the ROC curve of each label: every score is kept until the metric is reset.
#pragma once
#include "levin/torch/metrics/auroc.hpp"
#include "levin/torch/metrics/multilabel.hpp"

namespace levin::metrics {

// Only the order of scores counts. micro: one curve of all labels. A label that every sample has, or none, has 0. The
// threshold is not used.
class MultilabelAUROC : public Metric {
 public:
  explicit MultilabelAUROC(MultilabelOptions options)
      : Metric({{"preds", LEVIN_REDUCE_CAT, {}}, {"target", LEVIN_REDUCE_CAT, {}}}), o_(options) {
    detail_of::check(o_);
  }
  explicit MultilabelAUROC(int64_t labels) : MultilabelAUROC(MultilabelOptions{labels}) {}

  void update(const at::Tensor& scores, const at::Tensor& target) {
    merge(0, detail_of::rows_of_labels(scores, target, o_.labels));
    merge(1, detail_of::rows_of_labels(target, scores, o_.labels));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    if (o_.average == Average::micro) return area(state(0).flatten(), state(1).flatten());
    std::vector<at::Tensor> areas, seen;
    for (int64_t label = 0; label < o_.labels; ++label) {
      areas.push_back(area(state(0).select(1, label), state(1).select(1, label)));
      seen.push_back(state(1).select(1, label).eq(1).sum());
    }
    return detail_of::average_of(areas, seen, o_.average);
  }

 private:
  at::Tensor area(const at::Tensor& scores, const at::Tensor& target) const {
    const at::Tensor counted = target.ne(o_.ignore_index).nonzero().squeeze(1);
    return detail_of::area_under_roc(scores.index_select(0, counted), target.index_select(0, counted).eq(1));
  }
  MultilabelOptions o_;
};

}  // namespace levin::metrics
