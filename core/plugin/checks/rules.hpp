// The rules for what a plugin's tables say (P11, P12).
#pragma once
#include <string>

#include "core/config/schema.hpp"
#include "core/plugin/checks/elf_file.hpp"

namespace levin::core {

// The description from live tables. Throws Error{plugin}, prefixed with name.
PluginSchema checked_description(const levin_plugin& plugin, const ElfFile& elf, const std::string& name);
// The description embedded in a file.
PluginSchema embedded_description(const ElfFile& elf, const std::string& name);

}  // namespace levin::core
