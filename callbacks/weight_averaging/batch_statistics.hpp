// The statistics of batch normalization, computed anew as the mean over the batches of one epoch.
#pragma once
#include <string>
#include <vector>

#include "levin/run.hpp"
#include "levin/state.hpp"

namespace levin::weight_averaging {

// A layer leaves momentum * statistic in a buffer that was 0 before the batch; so the batch's statistic is known.
// Layers in evaluation mode (frozen ones) keep what they have.
class BatchStatistics {
 public:
  static bool needed(const Run& run);  // the model says what its modules are, and one that trains is a BatchNorm
  // Looks for the buffers; they stay the same from here on.
  BatchStatistics(const Run& run, double momentum);
  void before_batch(const Run& run) const;  // buffers: 0
  void after_batch(const Run& run);         // buffers: the mean so far

  void save(const Writer& writer) const;
  // Nothing where there is no state, or that of another model.
  void load(const std::vector<double>& sums, int64_t batches);

 private:
  struct Buffer {
    std::string name;
    size_t first, size;  // its part of sums_
  };
  double momentum_;
  int64_t batches_ = 0;
  std::vector<Buffer> buffers_;
  std::vector<double> sums_;
};

}  // namespace levin::weight_averaging
