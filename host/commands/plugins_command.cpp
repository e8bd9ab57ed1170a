#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/base/text.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/commands/fitted_output.hpp"

namespace levin::core {
namespace {

// Returns the file's problem without the path, which is already at the start of the line.
std::string without_path(const PluginFile& file) {
  const std::string start = file.path.string() + ": ";
  return starts_with(file.problem, start) ? file.problem.substr(start.size()) : file.problem;
}

std::string components(const PluginSchema& schema) {
  std::vector<std::string> out;
  for (const auto& component : schema.components)
    out.push_back(std::string(kind_name(component.kind)) + " " + component.id);
  return join(out, ", ") + " (" + schema.id + (schema.version.empty() ? "" : " " + schema.version) + ")";
}

int print_as_json(PluginIndex& index) {
  using nlohmann::json;
  json folders = json::array();
  for (const auto& dir : index.dirs()) {
    json files = json::array();
    for (const auto& file : index.files()) {
      if (file.path.parent_path() != dir) continue;
      json parts = json::array();
      for (const auto& component : file.schema.components)
        parts.push_back({{"kind", kind_name(component.kind)}, {"id", component.id}, {"summary", component.summary}});
      files.push_back({{"file", file.path.string()},
                       {"usable", file.problem.empty()},
                       {"problem", file.problem.empty() ? json() : json(without_path(file))},
                       {"warnings", file.warnings},
                       {"id", file.schema.id},
                       {"version", file.schema.version},
                       {"components", parts}});
    }
    folders.push_back({{"folder", dir.string()}, {"exists", is_folder(dir)}, {"files", files}});
  }
  const json out{{"folders", folders}};
  std::printf("%s\n", out.dump(2, ' ', false, json::error_handler_t::replace).c_str());
  return 0;
}

}  // namespace

int plugins_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"plugins", {"trust", "json"}, {"plugins"}, 0}, arguments);
  PluginIndex index(plugin_dirs(given.plugins()), given.has("trust"));
  if (given.has("json")) return print_as_json(index);
  const FittedOutput output;
  for (const auto& dir : index.dirs()) {
    std::printf("%s\n", dir.c_str());
    int n = 0;
    for (const auto& file : index.files()) {
      if (file.path.parent_path() != dir) continue;
      const bool usable = file.problem.empty();
      std::printf("  %-27s  %s\n", file.path.filename().c_str(),
                  usable ? components(file.schema).c_str() : ("not usable: " + without_path(file)).c_str());
      for (const auto& warning : file.warnings) std::printf("  %-27s  warning: %s\n", "", warning.c_str());
      ++n;
    }
    if (n != 0) continue;
    const char* seen = is_folder(dir) ? "no plugin files" : "no such folder";
    std::printf("  %s\n", is_unreadable_folder(dir) ? "cannot be read: Permission denied" : seen);
  }
  return 0;
}

}  // namespace levin::core
