// Adam, and AdamW, which has decoupled weight decay, with the same steps as Python's torch.optim.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "core/config/optim/optim_spec.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

std::unique_ptr<Optimizer> make_adam(const OptimSpec& spec, const nlohmann::json& options);
std::unique_ptr<Optimizer> make_adamw(const OptimSpec& spec, const nlohmann::json& options);

}  // namespace levin::core
