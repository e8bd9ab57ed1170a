// Makes the optimizers of the optimizer table (core/config/optim) by name.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// The options apply to every group; a group's own options override them. Throws Error{usage} that lists the valid
// names.
std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const nlohmann::json& options,
                                          std::vector<ParamGroup> groups);

}  // namespace levin::core
