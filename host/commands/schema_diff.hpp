// Differences between two descriptions of a plugin, for `host inspect --diff`.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct Change {
  std::string where;  // "plugin", or "model mlp"
  std::string what;   // "option 'hidden' is gone"
  bool breaks;        // runs saved with the old plugin cannot be resumed unchanged with the new one
};

std::vector<std::string> hook_names(const ComponentSchema& component);
std::vector<std::string> flag_names(const ComponentSchema& component);

// Returns the changes in the order of the new description; removals come first.
std::vector<Change> schema_changes(const PluginSchema& before, const PluginSchema& after);

}  // namespace levin::core
