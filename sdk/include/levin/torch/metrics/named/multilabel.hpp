// The named metrics of labels: those of classes that count or rank, and those below, which differ or are of labels
// alone. A macro average is over all labels, and a label without samples counts as 0. A row whose labels are all left
// out has no value.
#pragma once
#include "levin/torch/metrics/named/classification.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named::multilabel {

using namespace named;  // f1 is named::f1, and accuracy the struct below

struct accuracy : OfCounts {
  static at::Tensor value(const ClassCounts& c) { return c.averaged(c.right() + c.true_negatives(), c.total()); }
};
struct hamming_distance : OfCounts {
  static at::Tensor value(const ClassCounts& c) {
    return c.averaged(c.seen() + c.predicted() - 2 * c.right(), c.total());
  }
};
struct auroc : named::auroc {
  static void check(const MetricChoice&, int64_t) {}
};
struct exact_match : OfLabels {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 0, 1); }
  static at::Tensor sums(const MetricChoice& choice, const LabelScores& s) {
    const at::Tensor right = s.probabilities().gt(choice.numbers[0]).eq(s.relevant).logical_or(s.counted.logical_not());
    return sums_of(right.all(1).to(at::kDouble), s.counted.any(1));
  }
};

// A probability of 0 counts as 2.2e-16.
struct log_loss : OfLabels {
  static at::Tensor sums(const MetricChoice&, const LabelScores& s) {
    const double least = std::numeric_limits<double>::epsilon();
    const at::Tensor p = s.probabilities();
    const at::Tensor of_one = s.logits ? at::log_sigmoid(s.rows) : p.clamp_min(least).log();
    const at::Tensor of_zero = s.logits ? at::log_sigmoid(-s.rows) : (1 - p).clamp_min(least).log();
    return sums_of(-at::where(s.relevant, of_one, of_zero), s.counted);
  }
};
struct brier : OfLabels {
  static at::Tensor sums(const MetricChoice&, const LabelScores& s) {
    return sums_of((s.probabilities() - s.relevant.to(at::kDouble)).square(), s.counted);
  }
};

// The places of labels by their scores. Labels of the same score have the last of their places.
struct LabelRanks {
  explicit LabelRanks(const LabelScores& s) : relevant(s.relevant), counted(s.counted) {
    const at::Tensor scores = s.rows.masked_fill(counted.logical_not(), -std::numeric_limits<double>::infinity());
    const auto [sorted, order] = (-scores).contiguous().sort(1);
    // Labels before and up to those of the same score; the rows are ordered from the highest score.
    before = at::searchsorted(sorted, (-scores).contiguous()), upto = places_upto(sorted, -scores);
    const at::Tensor found = relevant.gather(1, order).to(at::kDouble).cumsum(1);
    relevant_upto = found.gather(1, upto - 1);
    rank = upto.to(at::kDouble), n = relevant.sum(1).to(at::kDouble);
    labels = counted.sum(1).to(at::kDouble);
  }
  at::Tensor within(double k) const { return relevant.logical_and(rank <= k).to(at::kDouble); }
  at::Tensor rows() const { return counted.any(1); }  // that count

  at::Tensor relevant, counted;  // bool [M, L]
  at::Tensor before, upto;       // [M, L]: labels with a higher score, and with at least the same
  at::Tensor rank;               // double [M, L]: upto
  at::Tensor relevant_upto;      // [M, L]: relevant labels with at least the same score
  at::Tensor n, labels;          // [M]: relevant labels, counted labels

 private:
  static at::Tensor places_upto(const at::Tensor& sorted, const at::Tensor& values) {
    return at::searchsorted(sorted, values.contiguous(), /*out_int32=*/false, /*right=*/true)
        .clamp_min(1);  // NaN has no place
  }
};

struct coverage_error : OfLabels {
  static at::Tensor sums(const MetricChoice&, const LabelScores& s) {
    const LabelRanks r(s);
    return sums_of(at::where(r.relevant, r.rank, at::zeros_like(r.rank)).amax(1), r.rows());
  }
};
// 0 for samples with all labels or none.
struct ranking_loss : OfLabels {
  static at::Tensor sums(const MetricChoice&, const LabelScores& s) {
    const LabelRanks r(s);
    const at::Tensor others = at::where(r.relevant, r.rank - r.relevant_upto, at::zeros_like(r.rank)).sum(1);
    return sums_of(ratio(others, r.n * (r.labels - r.n)), r.rows());
  }
};
struct ranking_average_precision : OfLabels {
  static at::Tensor sums(const MetricChoice&, const LabelScores& s) {
    const LabelRanks r(s);
    const at::Tensor mean = ratio((r.within(1e9) * r.relevant_upto / r.rank).sum(1), r.n);
    return sums_of(at::where(r.n == 0, at::ones_like(mean), mean), r.rows());
  }
};

// The metrics of retrieval are 0 for samples without a relevant label.
struct OfRanks : OfLabels {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 1, 1e9); }
};
struct map : OfRanks {
  static at::Tensor sums(const MetricChoice& choice, const LabelScores& s) {
    const LabelRanks r(s);
    const at::Tensor found = r.within(choice.numbers[0]);
    return sums_of(ratio((found * r.relevant_upto / r.rank).sum(1), found.sum(1)), r.rows());
  }
};
struct mrr : OfLabels {
  static at::Tensor sums(const MetricChoice&, const LabelScores& s) {
    const LabelRanks r(s);
    return sums_of((r.within(1e9) / r.rank).amax(1), r.rows());
  }
};
struct ndcg : OfRanks {
  static at::Tensor sums(const MetricChoice& choice, const LabelScores& s) {
    const LabelRanks r(s);
    const at::Tensor place = at::arange(1, s.rows.size(1) + 1, s.rows.options());
    const at::Tensor gain = at::where(place <= choice.numbers[0], 1 / (place + 1).log2(), at::zeros_like(place));
    const at::Tensor sum = at::constant_pad_nd(gain.cumsum(0), {1, 0});
    const at::Tensor gains = (sum.take(r.upto) - sum.take(r.before)) / (r.upto - r.before);
    const at::Tensor found = (gains * r.within(1e9)).sum(1);
    return sums_of(ratio(found, sum.take(r.n.to(at::kLong))), r.rows());
  }
};
struct hit_rate : OfRanks {
  static at::Tensor sums(const MetricChoice& choice, const LabelScores& s) {
    const LabelRanks r(s);
    return sums_of(r.within(choice.numbers[0]).amax(1), r.rows());
  }
};
struct precision_at : OfRanks {
  static at::Tensor sums(const MetricChoice& choice, const LabelScores& s) {
    const LabelRanks r(s);
    return sums_of(ratio(r.within(choice.numbers[0]).sum(1), r.labels.clamp_max(choice.numbers[0])), r.rows());
  }
};
struct recall_at : OfRanks {
  static at::Tensor sums(const MetricChoice& choice, const LabelScores& s) {
    const LabelRanks r(s);
    return sums_of(ratio(r.within(choice.numbers[0]).sum(1), r.n), r.rows());
  }
};
struct r_precision : OfLabels {
  static at::Tensor sums(const MetricChoice&, const LabelScores& s) {
    const LabelRanks r(s);
    const at::Tensor found = r.relevant.logical_and(r.rank <= r.n.unsqueeze(1)).sum(1).to(at::kDouble);
    return sums_of(ratio(found, r.n), r.rows());
  }
};

}  // namespace levin::metrics::named::multilabel
#pragma GCC visibility pop
