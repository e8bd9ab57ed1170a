// What changed between two descriptions of a plugin, for `host inspect --diff`.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct Change {
  std::string where;  // "plugin", or "model mlp"
  std::string what;   // "option 'hidden' is gone"
  bool breaks;        // runs that were saved with the old one do not go on with the new one as they are
};

// In the order of the new description; what is gone comes first.
std::vector<Change> schema_changes(const PluginSchema& before, const PluginSchema& after);

}  // namespace levin::core
