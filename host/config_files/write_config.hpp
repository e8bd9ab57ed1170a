// Writes a configuration with comments, as a file that parse_config() reads.
#pragma once
#include <string>

#include "host/compose/config_tree.hpp"

namespace levin::core {

// root: a section without a key. The ending of `name` decides the format, as in parse_config(). TOML has no null:
// "null" stands for it.
std::string write_config(const ConfigLine& root, const std::string& name);

ConfigLine without_comments(ConfigLine line);

}  // namespace levin::core
