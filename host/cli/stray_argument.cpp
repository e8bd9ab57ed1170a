// Words of the command line that belong to no option.
#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/command_line.hpp"
#include "host/cli/commands.hpp"

namespace levin::core {
namespace {

// Returns "--model" for the name of a model, ...; "" for another word.
std::string option_of_component(const std::string& word) {
  PluginIndex index(plugin_dirs({}), /*trust=*/false);
  for (const PluginFile& file : index.files())
    for (const ComponentSchema& component : file.schema.components)
      if (component.kind <= LEVIN_KIND_LOGGER && component.answers_to(word))
        return std::string("--") + kind_name(component.kind);
  return "";
}

}  // namespace

void refuse_stray_argument(const std::string& word) {
  const std::string hint =
      is_short_option(word) ? did_you_mean_one_of(meant_by_short(word), "--", "") : where_it_belongs(word);
  throw Error(ErrorCode::option_unknown,
              "'" + word + "' is not an option" + (hint.empty() ? "; options begin with --" : hint));
}

std::string where_it_belongs(const std::string& word) {
  const HostCommand* command = find_command(word);
  if (command != nullptr && command->is_typed()) return "; the command comes first: host " + word + " ...";
  if (ends_with(word, ".so")) return did_you_mean_one_of({"--model " + word, "--data " + word}, "", "");
  const std::string option = option_of_component(word);
  return option.empty() ? "" : did_you_mean_one_of({option + " " + word}, "", "");
}

}  // namespace levin::core
