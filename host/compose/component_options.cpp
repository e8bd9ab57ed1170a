#include "host/compose/component_options.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

nlohmann::json optimizer_name(const OptionSchema& option, const std::string& name, const std::string& where,
                              const PluginOptimizers& of_plugins) {
  for (const std::string& known : option.choices)
    if (lower(known) == lower(name)) return known;
  std::vector<std::string> all = option.choices, called_so;
  for (const FoundComponent& found : of_plugins()) {
    if (std::find(all.begin(), all.end(), found.component->id) == all.end()) all.push_back(found.component->id);
    if (found.component->id == name || found.component->full_name() == name)
      called_so.push_back(found.component->full_name() + " (" + found.file + ")");
  }
  if (called_so.size() == 1) return name;
  if (called_so.empty()) throw Error(ErrorKind::usage, unknown_name(where + ": there is no optimizer", name, all));
  throw Error(ErrorKind::usage,
              where + ": several plugins have an optimizer '" + name + "'; name one: " + join(called_so, ", "));
}

// Converts the name of a PyTorch scheduler class to the schedule's id, for options that choose a schedule.
nlohmann::json chosen_value(const OptionSchema& option, const nlohmann::json& value) {
  if (option.type != LEVIN_T_CHOICE || !value.is_string()) return value;
  const OptimSpec* schedule = find_spec(schedule_table(), value.get<std::string>());
  const auto& choices = option.choices;
  if (schedule == nullptr || std::find(choices.begin(), choices.end(), schedule->id) == choices.end()) return value;
  return schedule->id;
}

}  // namespace

std::string place_of(const Setting& setting) {
  const bool option = starts_with(setting.origin, "--");
  return option ? setting.origin : setting.origin + ": " + setting.key;
}

const Setting* last_setting(const std::vector<Setting>& settings, const std::string& key, int rank) {
  const Setting* last = nullptr;
  for (const auto& s : settings) {
    if (s.key == key && s.rank >= rank && (last == nullptr || s.rank >= last->rank)) last = &s;
  }
  return last;
}

std::map<std::string, ResolvedOption> resolve_options(const ChosenComponent& chosen,
                                                      const std::vector<Setting>& settings,
                                                      const PluginOptimizers& optimizers) {
  std::map<std::string, ResolvedOption> out;
  for (const auto& option : chosen.schema().options) {
    const std::string key = chosen.key() + "." + option.name;
    const Setting* said = last_setting(settings, key, chosen.rank);
    if (said != nullptr) {
      out[option.name] = {check_option(option, chosen_value(option, said->value), place_of(*said)), said->origin};
    } else if (option.flags & LEVIN_OPT_REQUIRED) {
      throw Error(ErrorKind::usage, "--" + key + " is required by " + chosen.schema().id + " (" + chosen.found.file +
                                        "): " + describe_type(option) +
                                        (option.help.empty() ? "" : ", " + option.help));
    } else {
      out[option.name] = {check_option(option, option.deflt, key, ErrorKind::plugin), "default"};
    }
    nlohmann::json& value = out[option.name].value;
    if ((option.flags & LEVIN_OPT_OPTIMIZER) && value.is_string())
      value = optimizer_name(option, value.get<std::string>(), said != nullptr ? place_of(*said) : key, optimizers);
  }
  return out;
}

}  // namespace levin::core
