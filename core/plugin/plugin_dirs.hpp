// The folders of the installation, and the folders that are searched for plugins.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

// Returns the `host` program of this installation, whichever of its programs is running.
std::filesystem::path host_program();
// Returns the prefix of this installation, or the build folder.
std::filesystem::path installation();
// Returns <prefix>/lib/levin/plugins of this installation.
std::filesystem::path installed_plugin_dir();
// Returns the user's plugin folder; empty if user_folder() is.
std::filesystem::path user_plugin_dir();
// Returns the environment variable's value if it is an absolute path, else ~/fallback. Returns an empty path under
// elevated rights (setuid) or without a home folder.
std::filesystem::path user_folder(const char* variable, const char* fallback);

// Returns the folders that are searched for plugins, in this order: each --plugins DIR, LEVIN_PLUGIN_PATH, the user's
// folder and prefix, the installed folder, /usr/local and /usr, and the folder of the `host` program. The environment
// is ignored under elevated rights. Throws Error{usage} for a --plugins DIR that is not a folder.
std::vector<std::filesystem::path> plugin_dirs(const std::vector<std::string>& cli_dirs);
// Returns a warning for each folder of LEVIN_PLUGIN_PATH that does not exist.
std::vector<std::string> missing_plugin_folders();

}  // namespace levin::core
