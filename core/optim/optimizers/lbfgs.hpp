// L-BFGS, with a fixed step or a strong Wolfe line search; the same steps as Python's torch.optim.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>

#include "core/optim/optimizer.hpp"
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

OptimizerSpec lbfgs_spec();
std::unique_ptr<Optimizer> make_lbfgs(const OptimizerSpec& spec, const nlohmann::json& options);

}  // namespace levin::core
