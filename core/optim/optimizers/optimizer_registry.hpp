// The built-in optimizers by name: "adamw", or Python's class name "AdamW".
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/optim/optimizer.hpp"
#include "core/optim/optimizers/optimizer_spec.hpp"

namespace levin::core {

std::vector<std::string> optimizer_ids();
const OptimizerSpec* find_optimizer(const std::string& name);  // nullptr: no such optimizer

// Options apply to every group; a group's own options override them. Throws Error{usage} that lists the valid names.
std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const nlohmann::json& options,
                                          std::vector<ParamGroup> groups);

}  // namespace levin::core
