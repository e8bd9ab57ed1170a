// The rules that a plugin's description obeys, however it was read.
#pragma once
#include "core/config/schema.hpp"

namespace levin::core {

// Throws Error{plugin} naming the component and the option: names usable on a command line and unique, known kinds and
// types, defaults valid against their own option, claims of existing options.
void check_schema(const PluginSchema& plugin);

// A name that can stand in --group.name: letters, digits, _ and -, not starting with a digit or -.
bool is_name(const std::string& text);

}  // namespace levin::core
