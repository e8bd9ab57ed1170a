// Smaller steps at the beginning of a fit whose learning rates were scaled by the number of processes: they grow
// linearly to the full rates (Goyal et al. 2017, arXiv 1706.02677). Schedules and what is logged have the full rates.
#pragma once
#include <cstdint>
#include <vector>

#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// What rates are multiplied with in a step (0-based): from 1 / scale to 1 after `steps` steps.
inline double warm_up_factor(double scale, int64_t step, int64_t steps) {
  if (steps <= 0 || step >= steps) return 1;
  return (1 + (scale - 1) * static_cast<double>(step) / static_cast<double>(steps)) / scale;
}

// Holds an optimizer's rates at a part of themselves, as long as it lives.
class RateScope {
 public:
  RateScope(Optimizer& optimizer, double factor) : optimizer_(optimizer) {
    if (factor == 1 || !optimizer.has("lr")) return;
    for (size_t group = 0; group < optimizer.group_count(); ++group) {
      before_.push_back(optimizer.lr(group));
      optimizer.set_lr(group, before_.back() * factor);
    }
  }
  ~RateScope() {
    for (size_t group = 0; group < before_.size(); ++group) optimizer_.set_lr(group, before_[group]);
  }
  RateScope(const RateScope&) = delete;
  RateScope& operator=(const RateScope&) = delete;

 private:
  Optimizer& optimizer_;
  std::vector<double> before_;
};

}  // namespace levin::core
