// Loads a plugin's code into this process (P9) and calls its entry (P10), after a look at what the plugin would share
// with files that are loaded already.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/plugin/checks/elf_file.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

// Loads the file and returns its levin_plugin_v0. The file is never unloaded. Throws Error{plugin}.
levin_plugin_fn open_library(const std::filesystem::path& path, const std::string& name);

// Calls the entry and returns the plugin's table, which is at least as large as the table of ABI 0.4. `failure` returns
// the text that the plugin passed to host->fail. Throws Error{plugin}.
const levin_plugin& enter_library(levin_plugin_fn entry, const levin_host& host, const std::string& name,
                                  const std::function<std::string()>& failure);

// Throws Error{plugin} (P9) if the plugin exports an STB_GNU_UNIQUE symbol that a loaded file exports too: the plugin
// would use the other file's object, even with RTLD_LOCAL. Symbols of the C++ library and of LibTorch are meant to be
// shared.
void refuse_shared_symbols(const ElfFile& elf, const std::filesystem::path& plugin);

// Returns a warning for each library that the plugin, or a library shipped with it, would find by its run path, if
// another file with that SONAME is already loaded. Call it before the plugin is loaded.
std::vector<std::string> replaced_libraries(const ElfFile& elf, const std::filesystem::path& plugin);

}  // namespace levin::core
