// Adam, and AdamW, whose weight decay does not pass through the moments. They take the same steps as Python's
// torch.optim.
#pragma once
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

OptimizerSpec adam_spec();
OptimizerSpec adamw_spec();

}  // namespace levin::core
