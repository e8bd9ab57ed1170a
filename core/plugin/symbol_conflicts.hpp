// Finds symbols and libraries that a plugin would unintentionally share with files that this process has loaded.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/plugin/checks/elf_file.hpp"

namespace levin::core {

// Throws Error{plugin} (P9) if the plugin exports an STB_GNU_UNIQUE symbol that a loaded file exports too: the plugin
// would use the other file's object, even with RTLD_LOCAL. Symbols of the C++ library and of LibTorch are meant to be
// shared.
void refuse_shared_symbols(const ElfFile& elf, const std::filesystem::path& plugin);

// Returns a warning for each library that the plugin, or a library shipped with it, would find by its run path, if
// another file with that SONAME is already loaded. Call it before the plugin is loaded.
std::vector<std::string> replaced_libraries(const ElfFile& elf, const std::filesystem::path& plugin);

}  // namespace levin::core
