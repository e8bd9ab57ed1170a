#include <algorithm>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/plugin/checks/description_checks.hpp"
#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/commands/fitted_output.hpp"
#include "host/commands/schema_diff.hpp"

namespace levin::core {
namespace {

void indented_line(const char* name, const std::string& value) {
  if (!value.empty()) std::printf("  %-12s %s\n", name, value.c_str());
}

void print_component_facts(const ComponentSchema& component) {
  std::printf("\n%s %s %s\n", kind_name(component.kind), component.id.c_str(), component.version.c_str());
  indented_line("summary", component.summary);
  indented_line("aliases", join(component.aliases, ", "));
  indented_line("flags", join(flag_names(component), ", "));
  indented_line("hooks", join(hook_names(component), ", "));
  indented_line("state since", component.state_since);
  for (const auto& claim : component.claims) indented_line("serves", "--trainer." + claim.name);
  if (!component.defaults.empty()) indented_line("recommends", component.defaults.dump());
  for (const auto& option : component.options) {
    const std::string deflt = option.flags & LEVIN_OPT_REQUIRED ? "required" : "default " + option.deflt.dump();
    const std::string former = option.aliases.empty() ? "" : ", formerly " + join(option.aliases, ", ");
    const std::string advice = option.deprecated.empty() ? "" : ", deprecated: " + option.deprecated;
    indented_line("option", option.name + ": " + describe_type(option) + " (" + deflt + ")" + former + advice);
  }
}

// Prints facts about the file that are not in its embedded description.
void print_elf(const PluginFile& file, bool trust) {
  const OpenFile open(file.path, trust);
  const ElfFile elf = read_elf(open.fd(), file.path.string());
  indented_line("needs", join(elf.needed, ", "));
  indented_line("glibc", elf.glibc);
  indented_line("libstdc++", elf.glibcxx);
  indented_line("build-id", elf.build_id);
  indented_line("described", elf.description.empty() ? "by a child process" : "in the file");
}

void print_plugin(const PluginFile& file, bool trust) {
  const FittedOutput output;
  const PluginSchema& schema = file.schema;
  std::printf("%s\n", file.path.c_str());
  indented_line("id", schema.id);
  indented_line("version", schema.version);
  indented_line("license", schema.license);
  indented_line("url", schema.url);
  indented_line("ABI", std::to_string(schema.abi_major) + "." + std::to_string(schema.abi_minor));
  indented_line("LibTorch", schema.torch == "none" ? "none: the plugin runs with every version" : schema.torch);
  print_elf(file, trust);
  for (const auto& warning : file.warnings) indented_line("warning", warning);
  for (const auto& component : schema.components) print_component_facts(component);
}

Arguments read_inspect_arguments(const std::vector<std::string>& arguments) {
  Arguments given = read_arguments({"inspect", {"diff", "json", "trust"}, {"plugins"}, 2}, arguments);
  if (given.names.empty()) throw Error(ErrorCode::argument_missing, "host inspect FILE: no file is named");
  if (given.has("diff") && given.names.size() < 2)
    throw Error(ErrorCode::argument_missing, "host inspect --diff OLD NEW: one file is missing");
  if (!given.has("diff") && given.names.size() > 1)
    throw Error(ErrorCode::argument_unexpected,
                "host inspect: unexpected argument '" + given.names[1] + "'; see host help inspect");
  return given;
}

// Returns the file's description. If this host cannot load the file, because it is for another ABI or LibTorch, returns
// the embedded description.
PluginSchema described(PluginIndex& index, const std::string& name, bool trust) {
  const PluginFile& file = index.file(name);
  if (file.problem.empty()) return file.schema;
  try {
    const OpenFile open(file.path, trust);
    const ElfFile elf = read_elf(open.fd(), file.path.string());
    if (!elf.description.empty()) return embedded_description(elf, file.path.string());
  } catch (const Error&) {
  }
  require_usable(file.problem);
  return file.schema;
}

void print_changes_as_json(const std::vector<Change>& changes, bool breaks) {
  nlohmann::json list = nlohmann::json::array();
  for (const Change& c : changes) list.push_back({{"where", c.where}, {"what", c.what}, {"breaks", c.breaks}});
  std::printf("%s\n", nlohmann::json{{"changes", list}, {"breaks", breaks}}.dump(2).c_str());
}

void print_changes(const std::vector<Change>& changes, bool breaks) {
  const FittedOutput output;
  std::string where;
  for (const Change& c : changes) {
    if (c.where != where) std::printf("%s\n", (where = c.where).c_str());
    std::printf("  %-8s %s\n", c.breaks ? "breaks" : "", c.what.c_str());
  }
  std::printf("%s\n", changes.empty() ? "nothing changed"
                      : breaks        ? "runs saved with the old plugin cannot be resumed unchanged with the new one"
                                      : "runs saved with the old plugin can be resumed with the new one");
}

int print_diff(PluginIndex& index, const Arguments& given) {
  const auto changes = schema_changes(described(index, given.names[0], given.has("trust")),
                                      described(index, given.names[1], given.has("trust")));
  const bool breaks = std::any_of(changes.begin(), changes.end(), [](const Change& c) { return c.breaks; });
  given.has("json") ? print_changes_as_json(changes, breaks) : print_changes(changes, breaks);
  return breaks ? static_cast<int>(ErrorKind::plugin) : 0;
}

}  // namespace

int inspect_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_inspect_arguments(arguments);
  PluginIndex index(plugin_dirs(given.plugins()), given.has("trust"));
  if (given.has("diff")) return print_diff(index, given);
  const PluginFile& file = index.file(given.names[0]);
  require_usable(file.problem);
  if (given.has("json"))
    std::printf("%s\n", to_json(file.schema).dump(2).c_str());
  else
    print_plugin(file, given.has("trust"));
  return 0;
}

}  // namespace levin::core
