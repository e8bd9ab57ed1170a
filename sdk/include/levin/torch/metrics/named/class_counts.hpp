// Counts of right and wrong predictions of each class, or of each label.
#pragma once
#include "levin/torch/metrics/named/metric_of.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

struct ClassCounts {
  explicit ClassCounts(MetricChoice with) : choice(std::move(with)) {}
  virtual ~ClassCounts() = default;
  virtual at::Tensor right() const = 0;      // double [C]: samples of the class that are predicted as the class
  virtual at::Tensor seen() const = 0;       // [C]: samples of the class
  virtual at::Tensor predicted() const = 0;  // [C]: predictions of the class
  virtual at::Tensor total() const = 0;      // all samples: a scalar, or of each label [C]
  // Returns part / whole of each class, averaged by the word of the choice. A ratio whose whole is 0 is 0.
  virtual at::Tensor averaged(const at::Tensor& part, const at::Tensor& whole) const = 0;
  at::Tensor false_positives() const { return predicted() - right(); }
  at::Tensor true_negatives() const { return total() - seen() - predicted() + right(); }

  const MetricChoice choice;
};

}  // namespace levin::metrics::named
#pragma GCC visibility pop
