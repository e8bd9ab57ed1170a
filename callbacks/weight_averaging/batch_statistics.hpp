// The statistics of batch normalization, computed anew as the mean over the batches of one epoch.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "levin/run.hpp"

namespace levin::weight_averaging {

// A layer leaves momentum * statistic in a buffer that was 0 before the batch; so the batch's statistic is known.
class BatchStatistics {
 public:
  static bool needed(const Run& run);  // the model says what its modules are, and one is a BatchNorm
  explicit BatchStatistics(double momentum) : momentum_(momentum) {}
  void before_batch(const Run& run) const;  // buffers: 0
  void after_batch(const Run& run);         // buffers: the mean so far

 private:
  double momentum_;
  int64_t batches_ = 0;
  std::map<std::string, std::vector<double>> sums_;  // by the buffer's name
};

}  // namespace levin::weight_averaging
