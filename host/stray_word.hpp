// Words that stand where none is expected, and where they belong.
#pragma once
#include <string>

namespace levin::core {

// "; did you mean --model mlp?" of a component or plugin file, "; the command comes first: host fit ..." of a command;
// "" where nothing is known of the word. Components are those of the plugin folders that need no option.
std::string where_it_belongs(const std::string& word);

}  // namespace levin::core
