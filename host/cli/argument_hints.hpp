// Suggests the right place for an argument given in the wrong place.
#pragma once
#include <string>

namespace levin::core {

// Returns "; did you mean --model mlp?" for a component or plugin file, "; the command comes first: host fit ..." for a
// command, and "" for an unknown word. Searches components only in the default plugin folders, not in --plugins.
std::string where_it_belongs(const std::string& word);

}  // namespace levin::core
