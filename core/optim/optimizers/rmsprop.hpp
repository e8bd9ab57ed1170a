// RMSprop, with momentum or centred if wanted. It takes the same steps as Python's torch.optim.
#pragma once
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

OptimizerSpec rmsprop_spec();

}  // namespace levin::core
