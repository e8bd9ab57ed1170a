#include "host/stray_word.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/plugin/index/plugin_dirs.hpp"
#include "core/plugin/index/plugin_index.hpp"

namespace levin::core {
namespace {

bool is_called(const ComponentSchema& component, const std::string& word) {
  const auto& aliases = component.aliases;
  return component.id == word || std::find(aliases.begin(), aliases.end(), word) != aliases.end();
}

std::string option_of_component(const std::string& word) {
  PluginIndex index(plugin_dirs({}), /*trust=*/false);
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components)
      if (component.kind != LEVIN_KIND_OPTIMIZER && is_called(component, word))
        return std::string("--") + kind_name(component.kind);
  return "";
}

}  // namespace

const std::vector<std::string>& known_commands() {
  static const std::vector<std::string> commands = {"fit",     "tune",    "validate", "test",   "predict", "resume",
                                                    "plugins", "inspect", "check",    "doctor", "help"};
  return commands;
}

std::string where_it_belongs(const std::string& word) {
  const auto& commands = known_commands();
  if (std::find(commands.begin(), commands.end(), word) != commands.end())
    return "; the command comes first: host " + word + " ...";
  if (ends_with(word, ".so")) return "; did you mean --model " + word + " or --data " + word + "?";
  const std::string option = option_of_component(word);
  return option.empty() ? "" : "; did you mean " + option + " " + word + "?";
}

}  // namespace levin::core
