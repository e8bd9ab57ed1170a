// L-BFGS, with a fixed step or a strong Wolfe line search. It takes the same steps as Python's torch.optim.
#pragma once
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

OptimizerSpec lbfgs_spec();

}  // namespace levin::core
