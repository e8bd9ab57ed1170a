// The components of check_parts, a plugin next to the engine, for runs and for single calls.
#pragma once
#include <memory>

#include "core/components/model.hpp"
#include "core/config/run_config.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// id: "any_batch", "any_rows" or "saver". options: values that differ from the defaults.
ComponentConfig fake_part(PluginSet& plugins, uint32_t kind, const std::string& id,
                          nlohmann::json options = nlohmann::json::object());
std::unique_ptr<Model> fake_model(PluginSet& plugins);

}  // namespace levin::core
