// The named metrics of classification. Classes that do not occur, and ratios of nothing, are as in torchmetrics: a
// ratio whose denominator is 0 is 0; a macro average is over the classes that occur as target or prediction. Without
// any sample a metric of counts is 0, a mean NaN.
#pragma once
#include <ATen/ops/bucketize.h>

#include "levin/torch/metrics/auroc.hpp"
#include "levin/torch/metrics/named/all_scores.hpp"
#include "levin/torch/metrics/named/curves.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// Of topK the macro average is over the classes that occur as targets.
struct accuracy : OfCells {
  static at::Tensor value(const Cells& c) {
    if (c.choice.word == "binary") return ratio(c.right().sum(), c.total());
    if (c.choice.word == "macro" && c.choice.top_k > 1) return mean_recall(c);
    return c.averaged(c.right(), c.seen());
  }
  static at::Tensor mean_recall(const Cells& c) {
    return ratio(ratio(c.right(), c.seen()).sum(), c.seen().gt(0).sum().to(at::kDouble));
  }
};
struct balanced_accuracy : OfCells {
  static at::Tensor value(const Cells& c) { return accuracy::mean_recall(c); }
};
struct precision : OfCounts {
  static at::Tensor value(const ClassCounts& c) { return c.averaged(c.right(), c.predicted()); }
};
struct recall : OfCounts {
  static at::Tensor value(const ClassCounts& c) { return c.averaged(c.right(), c.seen()); }
};
struct f1 : OfCounts {
  static at::Tensor value(const ClassCounts& c) { return c.averaged(2 * c.right(), c.seen() + c.predicted()); }
};
struct fbeta : OfCounts {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 0, 1e6); }
  static at::Tensor value(const ClassCounts& c) {
    const double b = c.choice.numbers[0] * c.choice.numbers[0];
    return c.averaged((1 + b) * c.right(), b * c.seen() + c.predicted());
  }
};
struct specificity : OfCounts {
  static at::Tensor value(const ClassCounts& c) { return c.averaged(c.true_negatives(), c.total() - c.seen()); }
};
struct negative_predictive_value : OfCounts {
  static at::Tensor value(const ClassCounts& c) { return c.averaged(c.true_negatives(), c.total() - c.predicted()); }
};
struct hamming_distance : OfCells {
  static at::Tensor value(const Cells& c) {
    const at::Tensor found = accuracy::value(c);
    return at::where(c.total() > 0, 1 - found, at::zeros_like(found));
  }
};
struct jaccard : OfCounts {
  static at::Tensor value(const ClassCounts& c) { return c.averaged(c.right(), c.seen() + c.false_positives()); }
};

// NaN if all targets and all predictions are of one class.
struct cohen_kappa : OfCells {
  static at::Tensor value(const Cells& c) {
    const at::Tensor cells = c.numbers(), expected = at::outer(c.seen(), c.predicted()) / c.total();
    const at::Tensor index = at::arange(cells.size(0), cells.options());
    at::Tensor weight = (index.unsqueeze(0) - index.unsqueeze(1)).abs();
    if (c.choice.word == "none") weight = weight.gt(0).to(at::kDouble);
    if (c.choice.word == "quadratic") weight = weight.square();
    return 1 - (weight * cells).sum() / (weight * expected).sum();
  }
};

// 0 if all targets or all predictions are of one class, but for two classes 1 if all predictions are right, and -1 if
// all are wrong.
struct matthews : OfCells {
  static at::Tensor value(const Cells& c) {
    const at::Tensor n = c.total(), right = c.right().sum(), seen = c.seen(), predicted = c.predicted();
    const at::Tensor part = right * n - (seen * predicted).sum();
    const at::Tensor whole = ((n * n - seen.square().sum()) * (n * n - predicted.square().sum())).sqrt();
    const at::Tensor found = ratio(part, whole);
    if (seen.size(0) != 2) return found;
    const at::Tensor all_right = right.eq(n).logical_and(n > 0), all_wrong = right.eq(0).logical_and(n > 0);
    return at::where(all_right, at::ones_like(found), at::where(all_wrong, -at::ones_like(found), found));
  }
};

// A class without samples, or without samples of other classes, has the area 0 and counts in the average.
struct auroc : OfAllScores {
  static void check(const MetricChoice& choice, int64_t classes) {
    choice.number(0, 1e-9, 1);
    if (choice.word == "binary" || choice.numbers[0] < 1) require_two_classes(choice, classes);
  }
  static at::Tensor area(const AllScores::Binary& s, double max_fpr = 1) {
    return detail_of::area_under_roc(s.scores, s.positive, max_fpr);
  }
  static at::Tensor value(const AllScores& s) {
    if (s.of_two_classes()) return area(s.of(1), s.choice.numbers[0]);
    if (s.choice.word == "micro") return area(s.of_all());
    std::vector<at::Tensor> areas, seen;
    for (int64_t c = 0; c < s.classes(); ++c) {
      const AllScores::Binary each = s.of(c);
      areas.push_back(area(each)), seen.push_back(each.seen());
    }
    return detail_of::average_of(areas, seen, average_called(s.choice.word));
  }
};

// Classes without samples are left out of an average, labels count as 0. 0 without any positive sample.
struct average_precision : OfAllScores {
  static void check(const MetricChoice& choice, int64_t classes) {
    if (choice.word == "binary") require_two_classes(choice, classes);
  }
  static at::Tensor area(const AllScores::Binary& s) { return steps_under(precision_recall(s.scores, s.positive)); }
  static at::Tensor value(const AllScores& s) {
    if (s.choice.word == "micro") return area(s.of_all());
    std::vector<at::Tensor> areas, seen;
    for (int64_t c = s.choice.word == "binary" ? 1 : 0; c < s.classes(); ++c) {
      const AllScores::Binary each = s.of(c);
      areas.push_back(area(each)), seen.push_back(each.seen());
    }
    at::Tensor weight = at::stack(seen);
    if (s.choice.word != "weighted") weight = s.of_labels ? at::ones_like(weight) : weight.gt(0).to(at::kDouble);
    return ratio((at::stack(areas) * weight).sum(), weight.sum());
  }
};

// The best of one rate among the thresholds that keep the other; 0 if none does.
struct recall_at_precision : OfAllScores {
  static void check(const MetricChoice& choice, int64_t classes) {
    choice.number(0, 0, 1), require_two_classes(choice, classes);
  }
  static at::Tensor value(const AllScores& s) {
    const RatesByThreshold r = precision_recall(s.of(1).scores, s.of(1).positive);
    return best_of(r.recall, r.precision, s.choice.numbers[0]);
  }
};
struct precision_at_recall : recall_at_precision {
  static at::Tensor value(const AllScores& s) {
    const RatesByThreshold r = precision_recall(s.of(1).scores, s.of(1).positive);
    return best_of(r.precision, r.recall, s.choice.numbers[0]);
  }
};
struct sensitivity_at_specificity : recall_at_precision {
  static at::Tensor value(const AllScores& s) {
    const RatesByThreshold r = sensitivity_specificity(s.of(1).scores, s.of(1).positive);
    return best_of(r.recall, r.specificity, s.choice.numbers[0]);
  }
};
struct specificity_at_sensitivity : recall_at_precision {
  static at::Tensor value(const AllScores& s) {
    const RatesByThreshold r = sensitivity_specificity(s.of(1).scores, s.of(1).positive);
    return best_of(r.specificity, r.recall, s.choice.numbers[0]);
  }
};

// A probability of 0 counts as 2.2e-16.
struct log_loss : MeanOfScores<log_loss> {
  static at::Tensor values(const MetricChoice&, const Scores& s) {
    const double least = std::numeric_limits<double>::epsilon();
    const at::Tensor logs = s.logits ? s.rows.log_softmax(1) : s.probabilities().clamp_min(least).log();
    return -logs.gather(1, s.target.unsqueeze(1)).squeeze(1);
  }
};
struct perplexity : log_loss {
  static at::Tensor value(const MetricChoice& choice, const at::Tensor& sums) {
    return log_loss::value(choice, sums).exp();
  }
};
struct brier : MeanOfScores<brier> {
  static void check(const MetricChoice& choice, int64_t classes) {
    if (choice.word == "binary") require_two_classes(choice, classes);
  }
  static at::Tensor values(const MetricChoice& choice, const Scores& s) {
    const at::Tensor p = s.probabilities();
    const at::Tensor squares = (p - at::one_hot(s.target, p.size(1))).square();
    return choice.word == "binary" ? squares.select(1, 1) : squares.sum(1);
  }
};

// The confidence of the predicted class, in float, falls into one of the bins [i / bins, (i + 1) / bins); the
// confidence 1 has a bin of its own.
struct ece : OfScores {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 1, 1e6); }
  static at::Tensor sums(const MetricChoice& choice, const Scores& s) {
    const at::Tensor predicted = s.rows.argmax(1), given = s.probabilities().amax(1).to(at::kFloat);
    const auto bins = static_cast<int64_t>(choice.numbers[0]);
    const at::Tensor edges = at::linspace(0, 1, bins + 1, given.options());
    const at::Tensor bin = (at::bucketize(given, edges, /*out_int32=*/false, /*right=*/true) - 1).clamp(0, bins);
    const at::Tensor counted = s.counted.to(at::kDouble);
    const at::Tensor each = at::stack({counted, counted * given, counted * predicted.eq(s.target)});
    return at::zeros({3, bins + 1}, counted.options()).index_add(1, bin, each);
  }
  static at::Tensor value(const MetricChoice& choice, const at::Tensor& sums) {
    const at::Tensor n = sums[0], gap = (ratio(sums[2], n) - ratio(sums[1], n)).abs();
    if (choice.word == "max") return gap.max();
    const at::Tensor part = n / n.sum();
    return choice.word == "l2" ? (gap.square() * part).sum().sqrt() : (gap * part).sum();
  }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
