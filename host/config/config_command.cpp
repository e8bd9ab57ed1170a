#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/config/verbs.hpp"

namespace levin::core {
namespace config {

std::string config_file_of(const std::string& name) {
  if (!is_folder(absolute_path(name))) return name;
  const std::string file = (std::filesystem::path(name) / "config.json").string();
  if (is_present(absolute_path(file))) return file;
  require_readable_folder(absolute_path(name));
  throw Error(ErrorCode::not_a_run_folder,
              "'" + name + "' is a folder without a config.json; name a file or a run folder");
}

std::vector<std::string> run_arguments_of(const std::vector<std::string>& names,
                                          const std::vector<std::string>& options) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.insert(out.end(), {"--config", config_file_of(name)});
  out.insert(out.end(), options.begin(), options.end());
  return out;
}

}  // namespace config

namespace {

const struct ConfigVerb {
  const char* name;
  std::vector<std::string> flags, values;  // its own options
  int (*run)(const config::ConfigArguments& arguments);
} config_verbs[] = {{"new", {"force"}, {}, config::new_file},
                    {"show", {"origins", "json"}, {"format"}, config::show},
                    {"diff", {"json"}, {}, config::diff},
                    {"validate", {"json"}, {}, config::validate},
                    {"schema", {"force"}, {"output"}, config::schema}};

// Takes the verb's own options out of the words, wherever they stand.
config::ConfigArguments arguments_of(const ConfigVerb& verb, std::vector<std::string> words) {
  config::ConfigArguments out;
  for (const std::string& name : verb.values)
    if (const auto value = take_option(words, name)) out.own[name] = *value;
  words = normalized(std::move(words));
  const auto is_own = [&verb](const std::string& word) {
    return starts_with(word, "--") && std::count(verb.flags.begin(), verb.flags.end(), word.substr(2)) != 0;
  };
  for (size_t i = 0; i < words.size(); ++i) {
    const bool is_value = may_be_value(words, i) && !is_own(words[i - 1]);
    if (is_own(words[i]))
      out.own[words[i].substr(2)] = "";
    else
      (starts_with(words[i], "-") || is_value ? out.options : out.names).push_back(words[i]);
  }
  return out;
}

}  // namespace

int config_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const ConfigVerb& verb : config_verbs) names.emplace_back(verb.name);
  if (arguments.empty())
    throw Error(ErrorCode::argument_missing, "host config: no verb is named; verbs: " + join(names, ", "));
  for (const ConfigVerb& verb : config_verbs)
    if (arguments[0] == verb.name) return verb.run(arguments_of(verb, {arguments.begin() + 1, arguments.end()}));
  throw Error(ErrorCode::command_unknown, unknown_name("host config: there is no", arguments[0], names));
}

}  // namespace levin::core
