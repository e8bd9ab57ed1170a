// Where the host and its parts are installed, and where plugins are searched for.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

// The `host` program of this installation, whichever of its programs is running.
std::filesystem::path host_program();
// The prefix of this installation, or the folder of the build.
std::filesystem::path installation();
// <prefix>/lib/levin/plugins of this installation.
std::filesystem::path installed_plugin_dir();
// The user's own folder of plugins; empty where user_folder() is.
std::filesystem::path user_plugin_dir();
// The environment variable if it holds an absolute path, else ~/fallback; empty under elevated rights (setuid) or
// without a home folder.
std::filesystem::path user_folder(const char* variable, const char* fallback);

// The folders that are searched for plugins, in this order: each --plugins DIR, LEVIN_PLUGIN_PATH, the user's folder
// and prefix, the installed folder, /usr/local and /usr, and the folder of the `host` program. The environment is
// ignored under elevated rights. Throws Error{usage} for a --plugins DIR that is no folder.
std::vector<std::filesystem::path> plugin_dirs(const std::vector<std::string>& cli_dirs);
// A line for each folder of LEVIN_PLUGIN_PATH that does not exist.
std::vector<std::string> missing_plugin_folders();

}  // namespace levin::core
