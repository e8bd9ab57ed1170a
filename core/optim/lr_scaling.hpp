// Scaling of learning rates by the number of processes (trainer.scale_lr), and its warm-up: the learning rates grow
// linearly to the full ones at the beginning of a fit (Goyal et al. 2017, arXiv 1706.02677). Schedules and logged
// values have the full ones.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// Returns the factor of the learning rates.
double lr_scaling(LrScaling scaling, int processes);
// Returns the factor of the run whose checkpoint has this manifest.
double saved_lr_scaling(const nlohmann::json& manifest);

// Returns the factor of the rates in a step (0-based): from 1 / scale to 1 after `steps` steps.
inline double warm_up_factor(double scale, int64_t step, int64_t steps) {
  if (steps <= 0 || step >= steps) return 1;
  return (1 + (scale - 1) * static_cast<double>(step) / static_cast<double>(steps)) / scale;
}

// Multiplies an optimizer's learning rates by a factor, and restores them when it is destroyed.
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
