// The rules for a plugin's description, read from the file or from the loaded plugin.
#pragma once
#include "core/config/schema.hpp"

namespace levin::core {

// Throws Error{plugin}, which names the component and the option, if a rule is broken: names must be unique and usable
// on a command line, kinds and types known, defaults valid for their option, and claimed options must exist.
void check_schema(const PluginSchema& plugin);

// Returns true if the text can be a name in --group.name: letters, digits, _ and -, not starting with a digit or -.
bool is_name(const std::string& text);

}  // namespace levin::core
