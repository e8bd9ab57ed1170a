// The states of metrics that compare scores [N, C] or [N, C, ...] of classes with targets [N] or [N, ...]. Targets -100
// are left out.
#pragma once
#include "levin/torch/metrics/classification.hpp"
#include "levin/torch/metrics/named/class_counts.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

constexpr int64_t ignored_target = -100;

// Returns scores as rows [M, C].
inline at::Tensor rows_of_scores(const at::Tensor& scores, const at::Tensor& target, int64_t classes) {
  if (scores.dim() != target.dim() + 1 || scores.size(1) != classes || scores.numel() != target.numel() * classes)
    throw Error(LEVIN_E_INVALID, "metrics by name take scores [N, " + std::to_string(classes) + "] or [N, " +
                                     std::to_string(classes) + ", ...] and as many targets [N] or [N, ...]");
  return scores.dim() == 2 ? scores : scores.movedim(1, -1).reshape({-1, classes});
}

// Returns the probabilities of rows of scores, double [M, C].
inline at::Tensor probabilities_of(const at::Tensor& scores, bool logits) {
  const at::Tensor numbers = scores.to(at::kDouble);
  if (logits) return numbers.softmax(1);
  const double rounding = scores.scalar_type() == at::kHalf || scores.scalar_type() == at::kBFloat16 ? 0.05 : 1e-3;
  const at::Tensor within = numbers.ge(0).logical_and(numbers.le(1)).all(1, /*keepdim=*/true);
  const at::Tensor sums_to_1 = (numbers.sum(1, /*keepdim=*/true) - 1).abs().le(rounding);
  return at::where(within.logical_and(sums_to_1), numbers, numbers.softmax(1));
}

inline Average average_called(const std::string& word) {
  if (word == "macro") return Average::macro;
  if (word == "weighted") return Average::weighted;
  return word == "binary" ? Average::binary : Average::micro;
}

inline void require_two_classes(const MetricChoice& choice, int64_t classes) {
  if (classes != 2)
    throw Error(LEVIN_E_INVALID,
                "metric '" + choice.text + "' is for two classes; here are " + std::to_string(classes));
}

// The confusion matrix. Metrics with a threshold have it as their last number.
class Cells : public ConfusionMatrix, public ClassCounts {
 public:
  using Value = at::Tensor (*)(const Cells&);
  Cells(MetricChoice with, MetricInputs inputs, Value function)
      : ConfusionMatrix(options_of(with, inputs.classes)),
        ClassCounts(std::move(with)),
        inputs_(inputs),
        value_(function) {}
  at::Tensor value() const override { return empty() ? nothing() : value_(*this); }
  void update(const at::Tensor& scores, const at::Tensor& target) {
    if (target.numel() == 0) return;
    const bool by_threshold = !choice.numbers.empty() && choice.numbers.back() != 0.5 && inputs_.classes == 2;
    if (!by_threshold || !scores.is_floating_point() || scores.dim() == target.dim())
      return ConfusionMatrix::update(scores, target);
    const at::Tensor rows = rows_of_scores(scores.detach(), target, 2);
    ConfusionMatrix::update(probabilities_of(rows, inputs_.logits).select(1, 1).gt(choice.numbers.back()).to(at::kLong),
                            target.reshape(-1));
  }

  at::Tensor numbers() const { return matrix().to(at::kDouble); }  // [C, C]: a row for each target
  at::Tensor total() const override { return numbers().sum(); }
  at::Tensor seen() const override { return numbers().sum(1); }
  at::Tensor predicted() const override { return numbers().sum(0); }
  at::Tensor right() const override { return numbers().diagonal().contiguous(); }
  // micro is of the sums; macro is over the classes that occur as target or prediction; binary is the second class.
  at::Tensor averaged(const at::Tensor& part, const at::Tensor& whole) const override {
    return ConfusionMatrix::average(part, whole, counts());
  }

 private:
  static ClassificationOptions options_of(const MetricChoice& choice, int64_t classes) {
    if (!choice.numbers.empty()) choice.number(choice.numbers.size() - 1, 0, 1);
    if (!choice.numbers.empty() && choice.numbers.back() != 0.5) require_two_classes(choice, classes);
    if (choice.word == "binary") require_two_classes(choice, classes);
    return {classes, average_called(choice.word), std::min(choice.top_k, classes), ignored_target};
  }
  MetricInputs inputs_;
  Value value_;
};

// The probabilities of a batch.
struct Scores {
  Scores(const at::Tensor& scores, const at::Tensor& targets, const MetricInputs& inputs)
      : rows(rows_of_scores(scores, targets, inputs.classes).to(at::kDouble)),
        images(targets.size(0)),
        logits(inputs.logits) {
    const at::Tensor flat = targets.reshape(-1).to(at::kLong);
    counted = flat.ne(ignored_target);
    target = at::where(counted, flat, at::zeros_like(flat));
  }
  at::Tensor probabilities() const { return probabilities_of(rows, logits); }
  at::Tensor rows;     // double [M, C], as they were given
  at::Tensor target;   // [M]; 0 for targets that are left out
  at::Tensor counted;  // [M]: false for targets that are left out
  int64_t images;      // N, of M = N * ...
  bool logits;
};

struct OfCells : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<Cells>(choice, inputs, &M::value);
  }
};
struct OfScores : AnyMetric {
  template <class M>
  static NamedMetric made(const MetricChoice& choice, const MetricInputs& inputs) {
    return named_metric_of<SumsMetric<Scores>>(choice, inputs, &M::sums, &M::value);
  }
};

// The mean of M::values(scores), [M], over the samples.
template <class M>
struct MeanOfScores : OfScores {
  static at::Tensor sums(const MetricChoice& choice, const Scores& s) {
    const at::Tensor values = M::values(choice, s);
    return at::stack({at::where(s.counted, values, at::zeros_like(values)).sum(), s.counted.sum().to(at::kDouble)});
  }
  static at::Tensor value(const MetricChoice&, const at::Tensor& sums) { return sums[0] / sums[1]; }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
