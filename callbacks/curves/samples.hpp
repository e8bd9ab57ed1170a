// The scores and targets of an evaluation.
#pragma once
#include <cstdint>
#include <vector>

#include "levin/run.hpp"
#include "rates.hpp"

namespace levin::curves {

// Returns scores [N, classes, ...] in the order [N, ..., classes]: a row for each pixel or token. shape: of the scores.
std::vector<double> classes_last(const std::vector<double>& scores, const std::vector<int64_t>& shape);

class Samples {
 public:
  int64_t classes() const { return classes_; }
  int64_t size() const { return static_cast<int64_t>(targets_.size()); }
  // Adds rows of scores [N, classes] and targets [N], up to `most` in all. Rows with a target below 0, a score that is
  // NaN, or an infinite highest score are left out: they have no probabilities.
  void add(const std::vector<double>& scores, const std::vector<int64_t>& targets, int64_t most);
  // Collective. Takes in the rows of all processes.
  void join(const Run& run);

  // Of one class against the rest: for two classes the difference of their scores, else the probability.
  std::vector<Scored> of_class(int64_t c) const;
  // The probability of each predicted class, and whether it is right.
  std::vector<Scored> confidences() const;

 private:
  const double* row(size_t i) const { return scores_.data() + i * static_cast<size_t>(classes_); }
  // A row in [0, 1] with the sum 1 is taken for probabilities, and other rows for logits.
  std::vector<double> probabilities(size_t i) const;
  int64_t classes_ = 0;
  std::vector<double> scores_;  // [N, classes]
  std::vector<int64_t> targets_;
};

}  // namespace levin::curves
