#include "host/cli/argument_hints.hpp"

#include "core/base/text.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/commands.hpp"

namespace levin::core {
namespace {

std::string option_of_component(const std::string& word) {
  PluginIndex index(plugin_dirs({}), /*trust=*/false);
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components)
      if (component.kind != LEVIN_KIND_OPTIMIZER && component.answers_to(word))
        return std::string("--") + kind_name(component.kind);
  return "";
}

}  // namespace

std::string where_it_belongs(const std::string& word) {
  const HostCommand* command = find_command(word);
  if (command != nullptr && command->is_typed()) return "; the command comes first: host " + word + " ...";
  if (ends_with(word, ".so")) return "; did you mean --model " + word + " or --data " + word + "?";
  const std::string option = option_of_component(word);
  return option.empty() ? "" : "; did you mean " + option + " " + word + "?";
}

}  // namespace levin::core
