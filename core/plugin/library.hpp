// Loads a plugin's code into this process (P9) and calls its entry (P10).
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// Loads the file and returns its levin_plugin_v0. The file is never unloaded. Throws Error{plugin}.
levin_plugin_fn open_library(const std::filesystem::path& path, const std::string& name);

// Calls the entry and returns the plugin's table, which is at least as large as the table of ABI 0.3. `failure` returns
// the text that the plugin passed to host->fail. Throws Error{plugin}.
const levin_plugin& enter_library(levin_plugin_fn entry, const levin_host& host, const std::string& name,
                                  const std::function<std::string()>& failure);

}  // namespace levin::core
