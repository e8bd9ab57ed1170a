// Precision, recall and F1 score as ratios of counts, for classes and labels.
#pragma once
#include <ATen/ATen.h>

#pragma GCC visibility push(hidden)
namespace levin::metrics::detail_of {

// Counts of correct and wrong predictions per class or label: double [C].
struct Counts {
  at::Tensor true_positives, false_positives, false_negatives;
  at::Tensor seen() const { return true_positives + false_negatives; }
  at::Tensor predicted() const { return true_positives + false_positives; }
};

struct PrecisionRatio {
  static at::Tensor part(const Counts& counts) { return counts.true_positives; }
  static at::Tensor whole(const Counts& counts) { return counts.predicted(); }
};
struct RecallRatio {
  static at::Tensor part(const Counts& counts) { return counts.true_positives; }
  static at::Tensor whole(const Counts& counts) { return counts.seen(); }
};
struct F1Ratio {
  static at::Tensor part(const Counts& counts) { return 2 * counts.true_positives; }
  static at::Tensor whole(const Counts& counts) { return counts.seen() + counts.predicted(); }
};

// A metric that counts like Base; its value is the average of Ratio over the classes or labels.
template <class Base, class Ratio>
class RatioMetric : public Base {
 public:
  using Base::Base;
  at::Tensor value() const override {
    if (this->empty()) return Base::nothing();
    const Counts counts = this->counts();
    return this->average(Ratio::part(counts), Ratio::whole(counts), counts);
  }
};

}  // namespace levin::metrics::detail_of
#pragma GCC visibility pop
