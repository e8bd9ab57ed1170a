// Computes the statistics of batch normalization again, as the mean over the batches of one epoch, in all processes.
#pragma once
#include <string>
#include <vector>

#include "levin/run.hpp"
#include "levin/state.hpp"

namespace levin::weight_averaging {

// If a layer's buffer is 0 before a batch, it holds momentum * statistic after the batch, which gives the batch's
// statistic. Layers in evaluation mode (frozen ones) keep their buffers.
class BatchStatistics {
 public:
  static bool needed(const Run& run);  // whether the model describes its modules and trains a BatchNorm
  // Finds the buffers, which must stay the same afterwards.
  BatchStatistics(const Run& run, double momentum);
  void before_batch(const Run& run) const;  // sets the buffers to 0
  void after_batch(const Run& run);         // sets the buffers to the mean over the batches so far; collective

  void save(const Writer& writer) const;
  // Does nothing if there is no state, or if it is that of another model.
  void load(const std::vector<double>& sums, int64_t batches);

 private:
  struct Buffer {
    std::string name;
    size_t first, size;  // the place of its values in sums_
  };
  double momentum_;
  int64_t batches_ = 0;
  std::vector<Buffer> buffers_;
  std::vector<double> sums_;
};

}  // namespace levin::weight_averaging
