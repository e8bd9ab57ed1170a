// Adam, and AdamW whose weight decay does not pass through the moments; the same steps as Python's torch.optim.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>

#include "core/optim/optimizer.hpp"
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

OptimizerSpec adam_spec();
OptimizerSpec adamw_spec();
std::unique_ptr<Optimizer> make_adam(const OptimizerSpec& spec, const nlohmann::json& options);
std::unique_ptr<Optimizer> make_adamw(const OptimizerSpec& spec, const nlohmann::json& options);

}  // namespace levin::core
