// Where the host and its parts lie, and where plugins are sought.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

// The `host` program of this installation, also when the engine asks.
std::filesystem::path host_program();
// <prefix>/lib/levin/plugins of this installation.
std::filesystem::path installed_plugin_dir();
// $variable if it is an absolute path, else ~/fallback; empty under elevated rights or without a home.
std::filesystem::path user_folder(const char* variable, const char* fallback);

// Where plugins are sought, in this order: each --plugins DIR (Error{usage} if it is no folder), LEVIN_PLUGIN_PATH, the
// user's folder, the installed one, the one beside the program. The environment is ignored under elevated rights.
std::vector<std::filesystem::path> plugin_dirs(const std::vector<std::string>& cli_dirs);

}  // namespace levin::core
