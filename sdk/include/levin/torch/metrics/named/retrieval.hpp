// The named metrics of retrieval: the classes of a sample are ranked by their scores, and the target is the relevant
// one.
#pragma once
#include "levin/torch/metrics/named/of_classes.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// For each sample, the number of classes with a higher score than the target's, and with the same (with the target).
struct Ranks {
  explicit Ranks(const Scores& s) {
    const at::Tensor own = s.rows.gather(1, s.target.unsqueeze(1));
    higher = s.rows.gt(own).sum(1), same = s.rows.eq(own).sum(1);
  }
  at::Tensor higher, same;  // [M]
};

struct mrr : MeanOfScores<mrr> {
  static at::Tensor values(const MetricChoice&, const Scores& s) {
    const Ranks ranks(s);
    return 1 / (ranks.higher + ranks.same).to(at::kDouble);
  }
};
struct ndcg : MeanOfScores<ndcg> {
  static void check(const MetricChoice& choice, int64_t) { choice.number(0, 1, 1e9); }
  static at::Tensor values(const MetricChoice& choice, const Scores& s) {
    const Ranks ranks(s);
    const at::Tensor rank = at::arange(1, s.rows.size(1) + 1, s.rows.options());
    const at::Tensor gain = at::where(rank <= choice.numbers[0], 1 / (rank + 1).log2(), at::zeros_like(rank));
    const at::Tensor sums = at::constant_pad_nd(gain.cumsum(0), {1, 0});
    return (sums.index_select(0, ranks.higher + ranks.same) - sums.index_select(0, ranks.higher)) / ranks.same;
  }
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
