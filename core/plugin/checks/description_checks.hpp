// Checks the description in a plugin's tables (P11, P12).
#pragma once
#include <string>

#include "core/config/schema.hpp"
#include "core/plugin/checks/elf_file.hpp"

namespace levin::core {

// Reads the description from the tables of a loaded plugin. Throws Error{plugin} that starts with `name`.
PluginSchema checked_description(const levin_plugin& plugin, const ElfFile& elf, const std::string& name);
// Reads the description that is embedded in a file. Throws Error{plugin} that starts with `name`.
PluginSchema embedded_description(const ElfFile& elf, const std::string& name);
// Returns the first difference between the two descriptions, "thing.count.max is 20 in the description and 10 in the
// code", or "".
std::string description_difference(const PluginSchema& described, const PluginSchema& code);

}  // namespace levin::core
