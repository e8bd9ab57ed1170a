// L-BFGS, with a fixed step or a strong Wolfe line search, with the same steps as Python's torch.optim.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "core/config/optim/optim_spec.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

std::unique_ptr<Optimizer> make_lbfgs(const OptimSpec& spec, const nlohmann::json& options);

}  // namespace levin::core
