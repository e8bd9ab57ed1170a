#include <algorithm>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_uninstall(const std::string& what) { throw Error(ErrorCode::plugin_not_installed, what); }

std::vector<std::string> names_of(const PluginFile& file) {
  std::vector<std::string> names = {file.path.filename().string()};
  if (!file.schema.id.empty()) names.push_back(file.schema.id);
  for (const auto& component : file.schema.components) names.push_back(component.id);
  return names;
}

// Returns the files with this name. A file that is no usable plugin is found only by its file name.
std::vector<fs::path> meant_by(const std::string& name, PluginIndex& index, std::vector<std::string>* known) {
  std::vector<fs::path> out;
  for (const auto& file : index.files()) {
    const auto names = names_of(file);
    known->insert(known->end(), names.begin(), names.end());
    if (std::find(names.begin(), names.end(), name) != names.end()) out.push_back(file.path);
  }
  return out;
}

[[noreturn]] void not_there(const std::string& name, const fs::path& folder, const std::vector<std::string>& known) {
  PluginIndex everywhere(plugin_dirs({}), true);
  std::vector<std::string> ignored;
  for (const auto& path : meant_by(name, everywhere, &ignored))
    refuse_uninstall("'" + name + "' is " + path.string() + ", outside your plugin folder " + folder.string() +
                     "; remove the file yourself");
  refuse_uninstall("there is no plugin '" + name + "' in " + folder.string() + did_you_mean(name, known));
}

}  // namespace

int uninstall_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"uninstall", {"trust"}, {"plugins"}, 1}, arguments);
  if (given.names.empty()) throw Error(ErrorCode::argument_missing, "host uninstall ID|FILE: nothing is named");
  const fs::path folder = user_plugin_dir(), written = given.names[0];
  std::error_code failed;
  const bool is_path = written.has_parent_path();
  if (is_path && !fs::equivalent(written.parent_path(), folder, failed))
    refuse_uninstall(written.string() + " is not in your folder of plugins, " + folder.string());
  const std::string name = is_path ? written.filename().string() : given.names[0];
  PluginIndex index({folder}, true);
  std::vector<std::string> known;
  const auto meant = meant_by(name, index, &known);
  if (meant.empty()) not_there(name, folder, known);
  if (meant.size() > 1)
    refuse_uninstall("'" + name + "' is in " + meant[0].string() + " and in " + meant[1].string() + "; name the file");
  if (!fs::remove(meant[0], failed)) refuse_uninstall(meant[0].string() + " cannot be removed: " + failed.message());
  std::printf("%s: removed\n", meant[0].c_str());
  return 0;
}

}  // namespace levin::core
