#include "host/compose/component_options.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/host_options.hpp"

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
  if (called_so.empty())
    throw Error(ErrorCode::component_unknown, unknown_name(where + ": there is no optimizer", name, all));
  throw Error(ErrorCode::plugin_ambiguous,
              where + ": several plugins have an optimizer '" + name + "'; name one: " + join(called_so, ", "));
}

nlohmann::json with_full_name(const OptionSchema& option, const nlohmann::json& value, const std::string& where,
                              const PluginOptimizers& of_plugins) {
  const bool names_optimizer = (option.flags & LEVIN_OPT_OPTIMIZER) != 0 && value.is_string();
  return names_optimizer ? optimizer_name(option, value.get<std::string>(), where, of_plugins) : value;
}

// Converts the name of a PyTorch scheduler class to the schedule's id, for options that choose a schedule.
nlohmann::json chosen_value(const OptionSchema& option, const nlohmann::json& value) {
  if (option.type != LEVIN_T_CHOICE || !value.is_string()) return value;
  const OptimSpec* schedule = find_spec(schedule_table(), value.get<std::string>());
  const auto& choices = option.choices;
  if (schedule == nullptr || std::find(choices.begin(), choices.end(), schedule->id) == choices.end()) return value;
  return schedule->id;
}

std::string owner_of(const std::string& key) { return key.substr(0, key.rfind('.')); }
std::string option_of(const std::string& key) { return key.substr(key.rfind('.') + 1); }

// Returns the component whose option the setting sets, or nullptr if there is none or if the setting belongs to a
// component that was replaced.
const ChosenComponent* component_of(const Composition& composition, const Setting& s) {
  if (s.key.find('.') == std::string::npos) return nullptr;
  const ChosenComponent* chosen = composition.find(owner_of(s.key));
  return chosen != nullptr && s.rank >= chosen->rank ? chosen : nullptr;
}

// Returns another setting of the same option from the same source, under another name.
const Setting* other_name(const Composition& composition, const Setting& s, const OptionSchema& option) {
  for (const Setting& other : composition.settings) {
    if (other.rank != s.rank || other.key == s.key || owner_of(other.key) != owner_of(s.key)) continue;
    const std::string name = option_of(other.key);
    const auto& aliases = option.aliases;
    if (name == option.name || std::count(aliases.begin(), aliases.end(), name)) return &other;
  }
  return nullptr;
}

// Returns the place in a file that names the component, for the start of a message.
std::string place_of_file(const ChosenComponent& chosen) {
  return !chosen.by_user || starts_with(chosen.origin, "--") ? "" : chosen.origin + ": ";
}

}  // namespace

std::string place_of(const Setting& setting) {
  const bool is_whole = starts_with(setting.origin, "--") || setting.origin == setting.key;
  return is_whole ? setting.origin : setting.origin + ": " + setting.key;
}

const Setting* last_setting(const std::vector<Setting>& settings, const std::string& key, int rank) {
  const Setting* last = nullptr;
  for (const auto& s : settings) {
    if (s.key == key && s.rank >= rank && (last == nullptr || s.rank >= last->rank)) last = &s;
  }
  return last;
}

nlohmann::json checked_value(const OptionSchema& option, const Setting& said, const PluginOptimizers& optimizers) {
  const std::string where = place_of(said);
  return with_full_name(option, check_option(option, chosen_value(option, said.value), where), where, optimizers);
}

std::map<std::string, ResolvedOption> resolve_options(const ChosenComponent& chosen,
                                                      const std::vector<Setting>& settings,
                                                      const PluginOptimizers& optimizers) {
  std::map<std::string, ResolvedOption> out;
  for (const auto& option : chosen.schema().options) {
    const std::string key = chosen.key() + "." + option.name;
    const Setting* said = last_setting(settings, key, chosen.rank);
    if (said != nullptr) {
      out[option.name] = {checked_value(option, *said, optimizers), said->origin};
    } else if (option.flags & LEVIN_OPT_REQUIRED) {
      throw Error(ErrorCode::option_missing, place_of_file(chosen) + "--" + key + " is required by " +
                                                 chosen.schema().id + " (" + chosen.found.file +
                                                 "): " + describe_type(option) +
                                                 (option.help.empty() ? "" : ", " + option.help));
    } else {
      const nlohmann::json value = check_option(option, option.deflt, key, ErrorCode::plugin_description_invalid);
      out[option.name] = {with_full_name(option, value, key, optimizers), "default"};
    }
  }
  return out;
}

std::vector<const OptionSchema*> options_of_host(const std::string& group) {
  std::vector<const OptionSchema*> out;
  if (group == "data")
    for (const LoaderOption& option : loader_options()) out.push_back(&option.schema);
  if (group == "model")
    for (const OptionSchema& option : weight_options()) out.push_back(&option);
  return out;
}

const OptionSchema* find_option(const ComponentSchema& component, const std::string& name) {
  for (const auto& option : component.options) {
    const auto& aliases = option.aliases;
    if (option.name == name || std::count(aliases.begin(), aliases.end(), name)) return &option;
  }
  return nullptr;
}

void apply_renamed_options(Composition& composition, std::vector<std::string>& warnings) {
  std::vector<std::pair<size_t, std::string>> renamed;
  for (size_t i = 0; i < composition.settings.size(); ++i) {
    const Setting& s = composition.settings[i];
    const ChosenComponent* chosen = component_of(composition, s);
    const std::string name = option_of(s.key);
    const OptionSchema* option = chosen != nullptr ? find_option(chosen->schema(), name) : nullptr;
    if (option == nullptr || option->name == name) continue;
    const std::string now = "'" + name + "' is now '" + option->name + "'";
    const Setting* other = other_name(composition, s, *option);
    if (other != nullptr && s.saved != Saved::no) continue;  // the saved run had two options that are now one
    if (other != nullptr)
      throw Error(ErrorCode::options_conflict, place_of(s) + " and " + place_of(*other) + " are one option of " +
                                                   chosen->schema().id + ": " + now + "; give one of them");
    if (s.saved != Saved::by_default) warnings.push_back(place_of(s) + ": " + chosen->schema().id + "'s option " + now);
    renamed.emplace_back(i, chosen->key() + "." + option->name);
  }
  for (auto& [i, key] : renamed) composition.settings[i].key = std::move(key);
}

std::vector<std::string> unused_options(const Composition& composition) {
  std::vector<std::string> out;
  for (const ChosenComponent& chosen : composition.components) {
    if (!is_one_of(chosen.group, {"model", "data"})) continue;
    const auto of_host = options_of_host(chosen.group);
    const auto is_of_host = [&](const std::string& key) {
      return std::any_of(of_host.begin(), of_host.end(),
                         [&](const OptionSchema* option) { return chosen.key() + "." + option->name == key; });
    };
    std::vector<std::string> unused;
    for (const Setting& s : composition.settings)
      if (s.by_user() && s.rank < chosen.rank && starts_with(s.key, chosen.key() + ".") && !is_of_host(s.key))
        unused.push_back(after_group(s.key) + " (" + s.origin + ")");
    if (!unused.empty())
      out.push_back(chosen.origin + ": '" + chosen.written + "' takes the place of another " + chosen.group +
                    ", whose options are not used: " + join_some(unused, 5));
  }
  return out;
}

std::vector<std::string> deprecated_options(const Composition& composition) {
  std::vector<std::string> lines;
  for (const auto& chosen : composition.components) {
    if (!chosen.off.empty()) continue;
    for (const auto& option : chosen.schema().options) {
      if (option.deprecated.empty()) continue;
      const Setting* said = last_setting(composition.settings, chosen.key() + "." + option.name, chosen.rank);
      if (said != nullptr && said->rank != rank_default && said->saved != Saved::by_default)
        lines.push_back(place_of(*said) + ": " + chosen.schema().id + "'s option '" + option.name +
                        "' is deprecated: " + option.deprecated);
    }
  }
  return lines;
}

}  // namespace levin::core
