// Adagrad; the same steps as Python's torch.optim.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>

#include "core/optim/optimizer.hpp"
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

OptimizerSpec adagrad_spec();
std::unique_ptr<Optimizer> make_adagrad(const OptimizerSpec& spec, const nlohmann::json& options);

}  // namespace levin::core
