// The state of metrics that need the scores of all samples, of classes or of labels.
#pragma once
#include "levin/torch/metrics/named/of_labels.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// For two classes the order of the samples is that of the difference of their scores, which does not saturate as
// probabilities do.
struct AllScores {
  AllScores(const MetricChoice& with, const at::Tensor& scores, const at::Tensor& targets, const MetricInputs& inputs)
      : choice(with), of_labels(inputs.labels > 0) {
    if (of_labels) {
      ranked = scores.to(at::kDouble), target = targets;
      return;
    }
    const at::Tensor counted = targets.ne(ignored_target).nonzero().squeeze(1);
    target = targets.index_select(0, counted);
    const at::Tensor rows = scores.index_select(0, counted).to(at::kDouble);
    ranked = inputs.classes == 2
                 ? at::stack({rows.select(1, 0) - rows.select(1, 1), rows.select(1, 1) - rows.select(1, 0)}, 1)
                 : probabilities_of(rows, inputs.logits);
  }
  static std::pair<at::Tensor, at::Tensor> rows(const at::Tensor& scores, const at::Tensor& target,
                                                const MetricInputs& inputs) {
    if (inputs.labels > 0)
      return {detail_of::rows_of_labels(scores, target, inputs.labels),
              detail_of::rows_of_labels(target, scores, inputs.labels)};
    return {rows_of_scores(scores, target, inputs.classes), target.reshape(-1)};
  }
  int64_t classes() const { return ranked.size(1); }
  bool of_two_classes() const { return !of_labels && classes() == 2; }

  // One class or label against the rest. scores: the higher, the more a sample is of the class.
  struct Binary {
    at::Tensor scores, positive;  // double [M], bool [M]
    at::Tensor seen() const { return positive.sum().to(at::kDouble); }
  };
  Binary of(int64_t c) const {
    if (!of_labels) return {ranked.select(1, c), target.eq(c)};
    return counted(ranked.select(1, c), target.select(1, c));
  }
  // All labels as one.
  Binary of_all() const { return counted(ranked.reshape(-1), target.reshape(-1)); }

  const MetricChoice& choice;
  const bool of_labels;

 private:
  static Binary counted(const at::Tensor& scores, const at::Tensor& labels) {
    const at::Tensor kept = labels.ne(ignored_target).nonzero().squeeze(1);
    return {scores.index_select(0, kept), labels.index_select(0, kept).eq(1)};
  }
  at::Tensor ranked, target;
};

struct OfAllScores : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<SamplesMetric<AllScores>>(choice, inputs, &M::value);
  }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
