// Stochastic gradient descent, with optional momentum or Nesterov momentum, with the same steps as Python's
// torch.optim.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "core/config/optim/optim_spec.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

std::unique_ptr<Optimizer> make_sgd(const OptimSpec& spec, const nlohmann::json& options);

}  // namespace levin::core
