#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/schema.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/compose/suggestions.hpp"
#include "launch/start.hpp"
#include "sdk/include/levin/tasks.h"

namespace levin::core {
namespace {

[[noreturn]] void refuse_check(ErrorCode code, const std::string& what) { throw Error(code, "host check: " + what); }

double time_limit(const std::string& text) {
  OptionSchema schema;
  schema.name = "time_limit";
  schema.type = LEVIN_T_FLOAT;
  schema.min = 0.1;
  schema.max = 86400;
  return check_option(schema, text, "--time_limit").get<double>();
}

// An option of one component, and the ways to write it.
struct Known {
  const ComponentSchema* component;
  const OptionSchema* option;
  std::string kind() const { return kind_name(component->kind); }
  bool is_called(const std::string& name) const {
    std::vector<std::string> names = option->aliases;
    names.push_back(option->name);
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) {
      return name == n || name == kind() + "." + n || name == kind() + "." + component->id + "." + n;
    });
  }
};

std::vector<Known> known_options(const PluginSchema& schema) {
  std::vector<Known> out;
  for (const ComponentSchema& component : schema.components)
    for (const OptionSchema& option : component.options) out.push_back({&component, &option});
  return out;
}

[[noreturn]] void refuse_option(const std::string& name, const std::vector<Known>& known) {
  std::set<std::string> names = {"json", "plugins", "time_limit", "trust"};
  const bool dotted = name.find('.') != std::string::npos;
  for (const Known& k : known) names.insert(dotted ? k.kind() + "." + k.option->name : k.option->name);
  const std::vector<std::string> all(names.begin(), names.end());
  const std::string hint = did_you_mean_one_of(meant_options(name, all), "--", "");
  refuse_check(ErrorCode::option_unknown, "no component of this plugin has the option --" + name +
                                              (hint.empty() ? "; see host inspect FILE" : hint));
}

nlohmann::json value_of(const Known& known, const std::string& name, const std::string& text) {
  if (text.empty() && known.option->type == LEVIN_T_BOOL) return true;
  if (text.empty() && known.option->type != LEVIN_T_STRING)
    refuse_check(ErrorCode::argument_missing, "--" + name + ": a value is missing");
  return check_option(*known.option, text, "--" + name);
}

bool has_tasks(const PluginSchema& schema) {
  return std::any_of(schema.components.begin(), schema.components.end(),
                     [](const ComponentSchema& c) { return c.kind == LEVIN_KIND_TASKS; });
}

// Returns {"KIND.ID": {"name": checked value}}, and the "file" of tasks. An option is written as in a run,
// --model.hidden 8 or --hidden 8, and applies to every component of the plugin that has it; --model.ID.hidden 8 applies
// to one component.
nlohmann::json check_options(const Arguments& given, const PluginSchema& schema) {
  nlohmann::json out = nlohmann::json::object();
  const std::vector<Known> all = known_options(schema);
  for (const auto& [name, text] : given.options) {
    if (name == "file" && has_tasks(schema)) {
      out["file"] = absolute_path(text).string();
      continue;
    }
    if (name == "json" || name == "plugins" || name == "time_limit" || name == "trust") continue;
    std::set<std::string> kinds;
    for (const Known& known : all) {
      if (!known.is_called(name)) continue;
      kinds.insert(known.kind());
      out[known.kind() + "." + known.component->id][known.option->name] = value_of(known, name, text);
    }
    if (kinds.empty()) refuse_option(name, all);
    if (kinds.size() > 1)
      refuse_check(ErrorCode::name_ambiguous, "--" + name + " is ambiguous: use --" +
                                                  join({kinds.begin(), kinds.end()}, "." + name + " or --") + "." +
                                                  name);
  }
  return out;
}

}  // namespace

int check_command(const std::vector<std::string>& arguments) {
  const Arguments given = read_arguments({"check", {"json", "trust"}, {"plugins", "time_limit"}, 1, true}, arguments);
  if (given.names.empty()) throw Error(ErrorCode::argument_missing, "host check FILE: no file is named");
  const double seconds = given.has("time_limit") ? time_limit(given.value("time_limit")) : 60;
  PluginIndex index(plugin_dirs(given.plugins()), given.has("trust"));
  const PluginFile& file = index.file(given.names[0]);
  require_usable(file.problem);
  launch_engine("--check-fd", {{"file", file.path.string()},
                               {"trust", given.has("trust")},
                               {"json", given.has("json")},
                               {"seconds", seconds},
                               {"options", check_options(given, file.schema)}});
}

}  // namespace levin::core
