// Chooses the number of loader workers by what it costs to fill a batch.
#pragma once
#include <cstdint>
#include <optional>

namespace levin::core {

// Measures the first batches of a loader, which the training thread fills itself.
class FillCost {
 public:
  // Adds one batch: the seconds that it took to fill it, and those of the step before it.
  void add(double fill, double step);
  // Returns the number of workers that keep the step from waiting, at most one a core; 0 = filling takes less than half
  // a millisecond or a tenth of the time. Returns nullopt until enough batches are measured.
  std::optional<int64_t> workers(int64_t cores) const;

 private:
  int64_t batches_ = 0;
  double fill_ = 0, step_ = 0;  // sums
};

}  // namespace levin::core
