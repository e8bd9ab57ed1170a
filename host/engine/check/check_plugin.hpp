// `host check`: checks one plugin file against the rules for plugins (docs/plugin-check.md).
#pragma once
#include <nlohmann/json.hpp>

namespace levin::core {

// request: {"file": path, "trust": bool, "json": bool, "seconds": time limit of a call, "options": {"KIND.ID": {"name":
// checked value}}}. Prints each rule and its result, or one JSON document. Returns 0 if all rules hold, else the exit
// code of a bad plugin.
int check_plugin(const nlohmann::json& request);

}  // namespace levin::core
