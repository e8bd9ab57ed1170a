#include "core/optim/lr_schedulers/lr_target.hpp"

#include <limits>

namespace levin::core {

double LrTarget::initial_lr(size_t group) const {
  return group < initial_lr_.size() ? initial_lr_[group] : std::numeric_limits<double>::quiet_NaN();
}

void LrTarget::set_initial_lr(size_t group, double value) {
  if (group >= initial_lr_.size()) initial_lr_.resize(group + 1, std::numeric_limits<double>::quiet_NaN());
  initial_lr_[group] = value;
}

}  // namespace levin::core
