// Stochastic gradient descent, with momentum or Nesterov momentum if wanted. It takes the same steps as Python's
// torch.optim.
#pragma once
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

OptimizerSpec sgd_spec();

}  // namespace levin::core
