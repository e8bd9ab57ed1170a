// The help as JSON, for other programs.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/plugin/plugin_index.hpp"

namespace levin::core {

// Returns the commands and the options of every run.
nlohmann::json general_help();

// what: as an argument of `host help`. Returns null if nothing has this name. Throws Error{plugin} for a file that
// cannot be used.
nlohmann::json help_about(PluginIndex& index, const std::string& what);

}  // namespace levin::core
