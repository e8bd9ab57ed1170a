// The states of metrics that compare scores [N, L] or [N, L, ...] of labels with targets of 0 and 1 of the same shape.
// Single targets -100 are left out.
#pragma once
#include "levin/torch/metrics/multilabel.hpp"
#include "levin/torch/metrics/named/of_classes.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// The rows of a batch.
struct LabelScores {
  LabelScores(const at::Tensor& scores, const at::Tensor& targets, const MetricInputs& inputs)
      : rows(detail_of::rows_of_labels(scores, targets, inputs.labels).to(at::kDouble)), logits(inputs.logits) {
    const at::Tensor wanted = detail_of::rows_of_labels(targets, scores, inputs.labels);
    counted = wanted.ne(ignored_target), relevant = wanted.eq(1);
  }
  // A row of scores in [0, 1] is taken for probabilities, unless scores are known to be logits.
  at::Tensor probabilities() const {
    if (logits) return rows.sigmoid();
    return at::where(rows.ge(0).logical_and(rows.le(1)).all(1, /*keepdim=*/true), rows, rows.sigmoid());
  }
  at::Tensor rows;               // double [M, L], as they were given
  at::Tensor relevant, counted;  // bool [M, L]
  bool logits;
};

// Macro averages are over all labels, as in torchmetrics.
class LabelCells : public MultilabelAccuracy, public ClassCounts {
 public:
  using Value = at::Tensor (*)(const ClassCounts&);
  LabelCells(MetricChoice with, MetricInputs inputs, Value function)
      : MultilabelAccuracy(MultilabelOptions{inputs.labels, average_called(with.word), with.numbers.back()}),
        ClassCounts(std::move(with)),
        inputs_(inputs),
        value_(function) {}
  at::Tensor value() const override { return empty() ? nothing() : value_(*this); }
  void update(const at::Tensor& scores, const at::Tensor& target) {
    if (target.numel() == 0) return;
    const at::Tensor rows = detail_of::rows_of_labels(target, scores, inputs_.labels);
    if (!scores.is_floating_point()) return MultilabelAccuracy::update(scores, target);
    MultilabelAccuracy::update(
        LabelScores(scores.detach(), target, inputs_).probabilities().gt(choice.numbers.back()).to(at::kLong), rows);
  }
  at::Tensor total() const override { return state(0).sum(0).to(at::kDouble); }
  at::Tensor seen() const override { return counts().seen(); }
  at::Tensor predicted() const override { return counts().predicted(); }
  at::Tensor right() const override { return counts().true_positives; }
  at::Tensor averaged(const at::Tensor& part, const at::Tensor& whole) const override {
    return MultilabelAccuracy::average(part, whole, counts());
  }

 private:
  MetricInputs inputs_;
  Value value_;
};

struct OfCounts : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    if (inputs.labels > 0) return named_metric_of<LabelCells>(choice, inputs, &M::value);
    return named_metric_of<Cells>(
        choice, inputs, +[](const Cells& cells) { return M::value(cells); });
  }
};
struct OfLabels : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<SumsMetric<LabelScores>>(choice, inputs, &M::sums, &M::value);
  }
  static at::Tensor value(const MetricChoice&, const at::Tensor& sums) { return sums[0] / sums[1]; }
};

// The mean over the values that count. values, counted: of one shape.
inline at::Tensor sums_of(const at::Tensor& values, const at::Tensor& counted) {
  return at::stack({at::where(counted, values, at::zeros_like(values)).sum(), counted.sum().to(at::kDouble)});
}

}  // namespace levin::metrics::named
#pragma GCC visibility pop
