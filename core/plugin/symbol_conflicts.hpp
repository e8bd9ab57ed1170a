// What a plugin would share with what this process has loaded already, without anybody having asked for it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/plugin/checks/elf_file.hpp"

namespace levin::core {

// Throws Error{plugin} (P9) if the plugin exports an STB_GNU_UNIQUE symbol that something loaded exports too: the
// plugin would use the other's object, RTLD_LOCAL or not. Those of the C++ library and of LibTorch are meant to be
// shared.
void refuse_shared_symbols(const ElfFile& elf, const std::filesystem::path& plugin);

// A warning for each library that the plugin, or a library that it brings, finds by its run path, and in whose place
// another file with that SONAME is loaded already. Call it before the plugin is loaded.
std::vector<std::string> replaced_libraries(const ElfFile& elf, const std::filesystem::path& plugin);

}  // namespace levin::core
