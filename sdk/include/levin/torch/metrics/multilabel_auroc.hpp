// The area under the ROC curve of each label: all scores are kept until the metric is reset.
#pragma once
#include "levin/torch/metrics/auroc.hpp"
#include "levin/torch/metrics/multilabel.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

// Only the order of scores counts. Average::micro uses one curve of all labels. A label that all samples or no samples
// have has the area 0. The threshold is not used.
class MultilabelAUROC : public Metric {
 public:
  explicit MultilabelAUROC(MultilabelOptions options)
      : Metric({{"preds", LEVIN_REDUCE_CAT, {}}, {"target", LEVIN_REDUCE_CAT, {}}}), options_(options) {
    detail_of::check(options_);
  }
  explicit MultilabelAUROC(int64_t labels) : MultilabelAUROC(MultilabelOptions{labels}) {}

  void update(const at::Tensor& scores, const at::Tensor& target) {
    merge(0, detail_of::rows_of_labels(scores, target, options_.labels));
    merge(1, detail_of::rows_of_labels(target, scores, options_.labels));
  }
  at::Tensor value() const override {
    if (empty()) return nothing();
    if (options_.average == Average::micro) return area(state(0).flatten(), state(1).flatten());
    std::vector<at::Tensor> areas, seen;
    for (int64_t label = 0; label < options_.labels; ++label) {
      areas.push_back(area(state(0).select(1, label), state(1).select(1, label)));
      seen.push_back(state(1).select(1, label).eq(1).sum());
    }
    return detail_of::average_of(areas, seen, options_.average);
  }

 private:
  at::Tensor area(const at::Tensor& scores, const at::Tensor& target) const {
    const at::Tensor counted = target.ne(options_.ignore_index).nonzero().squeeze(1);
    return detail_of::area_under_roc(scores.index_select(0, counted), target.index_select(0, counted).eq(1));
  }
  MultilabelOptions options_;
};

}  // namespace levin::metrics
#pragma GCC visibility pop
