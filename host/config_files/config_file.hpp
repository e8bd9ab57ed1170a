// Configuration files in JSON, YAML and TOML. All three become the same JSON document, so that the rest of the host
// knows no format.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json.hpp"

namespace levin::core {

enum class ConfigFormat { json, yaml, toml };
ConfigFormat format_named(const std::string& name);  // by the ending, json for all others

// A longer text is refused.
inline constexpr size_t max_config_bytes = size_t{4} << 20;

// Reads a configuration. The ending of `name` decides the format: .yaml and .yml are YAML, .toml is TOML, all others
// are JSON with comments. Throws Error{usage} with file, line and column for text that is not of this format, and for
// what a configuration cannot have: keys that are given twice, YAML tags and merge keys, values nested deeper than 100
// levels, and aliases that stand for too much.
JsonDocument parse_config(std::string_view text, const std::string& name);

}  // namespace levin::core
