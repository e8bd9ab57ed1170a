// Adapts a plugin's optimizer to the host's interface.
#pragma once
#include <memory>

#include "core/components/plugin_set.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// options: from the model, validated against the component's schema. Throws Error{usage}.
std::unique_ptr<Optimizer> make_plugin_optimizer(PluginSet& plugins, const ComponentConfig& config,
                                                 const nlohmann::json& options, std::vector<ParamGroup> groups);

}  // namespace levin::core
