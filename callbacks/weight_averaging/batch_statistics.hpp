// Recomputes batch norm running statistics as the mean over the batches of one epoch, over all processes.
#pragma once
#include <string>
#include <vector>

#include "levin/run.hpp"
#include "levin/state.hpp"

namespace levin::weight_averaging {

// A buffer that is 0 before a batch holds momentum * statistic of the batch afterwards. Layers in evaluation mode
// (frozen layers) keep their buffers.
class BatchStatistics {
 public:
  static bool needed(const Run& run);  // true if the model describes its modules and trains a BatchNorm
  // Finds the buffers. They must not change afterwards.
  BatchStatistics(const Run& run, double momentum);
  void before_batch(const Run& run) const;  // sets the buffers to 0
  void after_batch(const Run& run);         // sets the buffers to the mean over the batches so far; collective

  void save(const Writer& writer) const;
  // Does nothing if the state is missing or of another model.
  void load(const std::vector<double>& sums, int64_t batches);

 private:
  struct Buffer {
    std::string name;
    size_t first, size;  // position of its values in sums_
  };
  double momentum_;
  int64_t batches_ = 0;
  std::vector<Buffer> buffers_;
  std::vector<double> sums_;
};

}  // namespace levin::weight_averaging
