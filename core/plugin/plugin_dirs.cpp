#include "core/plugin/plugin_dirs.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

const char* environment(const char* name) { return getauxval(AT_SECURE) ? nullptr : std::getenv(name); }

fs::path cli_dir(const std::string& text) {
  const fs::path dir = absolute_path(text);
  std::error_code failed;
  if (!fs::is_directory(dir, failed))
    throw Error(ErrorCode::folder_not_found, "--plugins " + text + ": there is no folder " + dir.string());
  return dir;
}

// Returns the folders of LEVIN_PLUGIN_PATH. Relative folders are refused, because they depend on the current folder.
std::vector<fs::path> dirs_of_environment() {
  std::vector<fs::path> out;
  const char* path = environment("LEVIN_PLUGIN_PATH");
  for (const std::string& dir : split(path != nullptr ? path : "", ':')) {
    if (dir.empty()) continue;
    if (dir[0] != '/')
      throw Error(ErrorCode::environment_invalid,
                  "LEVIN_PLUGIN_PATH: '" + dir + "' is a relative path; give absolute ones");
    out.emplace_back(absolute_path(dir));
  }
  return out;
}

void add_once(std::vector<fs::path>& dirs, const fs::path& dir) {
  std::error_code failed;
  fs::path real = fs::weakly_canonical(dir, failed);
  if (failed) real = dir.lexically_normal();
  if (std::find(dirs.begin(), dirs.end(), real) == dirs.end()) dirs.push_back(real);
}

// Adds the folders in which `cmake --install` places plugins below a prefix, if they exist.
void add_prefix(std::vector<fs::path>& dirs, const fs::path& prefix) {
  for (const std::string lib : {"lib", "lib64", "lib/" LEVIN_LIBRARY_ARCHITECTURE}) {
    std::error_code failed;
    const fs::path dir = prefix / lib / "levin" / "plugins";
    if (!ends_with(lib, "/") && fs::is_directory(dir, failed)) add_once(dirs, dir);
  }
}

// Returns the path of the shared library levin_inference or levin_trainer if it contains this code, or "" if a program
// does.
fs::path own_library() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&user_plugin_dir), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failed;
  const fs::path file = fs::canonical(info.dli_fname, failed);
  const std::string name = file.filename().string();
  for (const char* library : {"liblevin_inference.so", "liblevin_trainer.so"})
    if (starts_with(name, library)) return file;
  return {};
}

}  // namespace

// The program that uses the library does not belong to this installation, and must not be run instead of the host.
fs::path host_program() {
  if (const fs::path library = own_library(); !library.empty())
    return library.parent_path().parent_path() / "bin" / "host";
  const fs::path own = exe_path(), beside = own.parent_path() / "host";
  std::error_code failed;
  if (const fs::path folder = own.parent_path(); folder == libexec_dir(own))  // a program that the host starts
    return folder.parent_path().parent_path() / "bin" / "host";
  return fs::is_regular_file(beside, failed) ? beside : own;  // the host itself, or another program beside it
}

fs::path installation() { return host_program().parent_path().parent_path(); }

fs::path installed_plugin_dir() { return installation() / "lib" / "levin" / "plugins"; }

fs::path user_plugin_dir() {
  const fs::path folder = user_folder("XDG_DATA_HOME", ".local/share");
  return folder.empty() ? folder : folder / "levin" / "plugins";
}

fs::path user_folder(const char* variable, const char* fallback) {
  const char* folder = environment(variable);
  if (folder && folder[0] == '/') return folder;
  const char* home = environment("HOME");
  return home && home[0] == '/' ? fs::path(home) / fallback : fs::path();
}

std::vector<std::string> missing_plugin_folders() {
  std::vector<std::string> out;
  for (const fs::path& dir : dirs_of_environment()) {
    std::error_code failed;
    if (!fs::is_directory(dir, failed)) out.push_back("LEVIN_PLUGIN_PATH: there is no folder " + dir.string());
  }
  return out;
}

std::vector<fs::path> plugin_dirs(const std::vector<std::string>& cli_dirs) {
  std::vector<fs::path> dirs;
  for (const auto& dir : cli_dirs) add_once(dirs, cli_dir(dir));
  for (const fs::path& dir : dirs_of_environment()) add_once(dirs, dir);
  const fs::path user = user_plugin_dir(), home = user_folder("", ".local");
  if (!user.empty()) add_once(dirs, user);
  if (!home.empty()) add_prefix(dirs, home);
  add_once(dirs, installed_plugin_dir());
  for (const fs::path& prefix : {installation(), fs::path("/usr/local"), fs::path("/usr")}) add_prefix(dirs, prefix);
  add_once(dirs, host_program().parent_path());
  return dirs;
}

}  // namespace levin::core
