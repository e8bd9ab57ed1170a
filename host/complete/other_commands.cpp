#include "host/complete/other_commands.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/complete/option_values.hpp"
#include "host/complete/quiet_index.hpp"
#include "host/complete/shown_options.hpp"
#include "host/explain/error_rows.hpp"

namespace levin::core {
namespace {

using Words = std::vector<std::string>;

void add_names_of_help(const Words& words, Completion& out) {
  for (const char* group : {"trainer", "data", "model", "optimizers", "schedules"}) out.add(group);
  for (const HostCommand& command : host_commands())
    if (command.is_typed()) out.add(command.name, command.summary);
  PluginIndex index = quiet_index(words);
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components) out.add(component.id, component.summary);
  for (const TrainerOption& option : trainer_options()) out.add(option.schema.name, first_line(option.schema.help));
  out.paths = Completion::Paths::files;
}

// Adds the commands of runs that the usage of a command names, as `host submit [JOB OPTION ...] [fit|test] OPTION ...`.
void add_commands_of_runs(const HostCommand& command, const Words& words, Completion& out) {
  for (size_t i = 1; i + 1 < words.size(); ++i)
    if (find_command(words[i]) != nullptr) return;
  for (const ShownUsage& shown : shown_usages(command))
    if (words.size() > 2 && std::count(shown.verbs.begin(), shown.verbs.end(), words[1])) return;
  std::string usage = " " + command.usage + " ";
  for (char& c : usage)
    if (c == '[' || c == ']' || c == '|' || c == '\n') c = ' ';
  for (const HostCommand& other : host_commands())
    if (other.is_typed() && usage.find(std::string(" ") + other.name + " ") != std::string::npos &&
        (other.runs || std::string(other.name) == "resume"))
      out.add(other.name, other.summary);
}

void add_plugin_files(const Words& words, Completion& out) {
  PluginIndex index = quiet_index(words);
  for (const PluginFile& file : index.files()) out.add(file.path.filename().string());
}

void add_installed(Completion& out) {
  PluginIndex index({user_plugin_dir()}, false);
  for (const PluginFile& file : index.files()) {
    out.add(file.path.filename().string());
    for (const ComponentSchema& component : file.schema.components) out.add(component.id, component.summary);
  }
}

// Returns the components of the first plugin file that the words name, with or without --library.
std::vector<ComponentSchema> named_components(const Words& words) {
  PluginIndex index = quiet_index(words);
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string word = starts_with(words[i], "--library=") ? words[i].substr(10) : words[i];
    if (starts_with(word, "-")) continue;
    std::vector<ComponentSchema> found;
    if (ends_with(word, ".so")) {
      try {
        return index.file(word).schema.components;
      } catch (const Error&) {
        continue;
      }
    }
    if (words[i - 1] != "--library" && word == words[i]) continue;
    for (const PluginFile& file : index.files())
      for (const ComponentSchema& component : file.schema.components)
        if (component.answers_to(word)) found.push_back(component);
    if (!found.empty()) return found;
  }
  return {};
}

// Returns true if components of a file have options in the command: --tasks.OPTION, --KIND.OPTION.
bool has_component_options(const HostCommand& command) {
  return command.usage.find("--KIND.OPTION") != std::string::npos ||
         command.usage.find("--library FILE") != std::string::npos;
}

}  // namespace

void add_options_of(const HostCommand& command, const Words& words, Completion& out) {
  const std::string verb = words.size() > 2 ? words[1] : "";
  for (const ShownOption& option : shown_options(command, verb)) out.add(option.name, option.about);
  out.add("--help", "print the help of the command");
  if (!has_component_options(command)) return;
  const bool full = words.back().find('.') != std::string::npos;
  for (const ComponentSchema& component : named_components(words)) {
    const std::string group = std::string("--") + kind_name(component.kind) + ".";
    if (!full && !component.options.empty()) out.add(group, "options of " + component.id);
    for (const OptionSchema& option : component.options)
      if (full) out.add(group + option.name, first_line(option.help));
  }
}

std::optional<std::string> value_of_option(const HostCommand& command, const std::string& option) {
  for (const ShownOption& shown : shown_options(command))
    if (shown.name == option) return shown.value;
  return std::nullopt;
}

void add_values_of_component(const Words& words, const std::string& option, Completion& out) {
  for (const ComponentSchema& component : named_components(words))
    for (const OptionSchema& schema : component.options)
      if (option == std::string(kind_name(component.kind)) + "." + schema.name) add_values_of(schema, out);
}

void add_arguments_of(const HostCommand& command, const Words& words, Completion& out) {
  const std::string name = command.name;
  if (name == "help") return add_names_of_help(words, out);
  if (name == "uninstall") add_installed(out);
  if (name == "explain")
    for (const ErrorRow& row : error_rows()) out.add(text_of(row.code), row.title);
  if (name == "inspect" || name == "check") add_plugin_files(words, out);
  if (name == "submit" || name == "sweep") add_commands_of_runs(command, words, out);
  for (const ShownUsage& usage : shown_usages(command)) {
    const bool is_verb = std::count(usage.verbs.begin(), usage.verbs.end(), words[1]) != 0;
    if (words.size() == 2)
      for (const std::string& verb : usage.verbs) out.add(verb);
    if (usage.verbs.empty() || (words.size() > 2 && is_verb))
      for (const std::string& argument : usage.arguments) add_shown_values(&command, argument, out);
  }
}

}  // namespace levin::core
