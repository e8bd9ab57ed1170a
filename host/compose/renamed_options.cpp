#include "host/compose/renamed_options.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "host/compose/component_options.hpp"

namespace levin::core {
namespace {

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

}  // namespace

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
      throw Error(ErrorKind::usage, place_of(s) + " and " + place_of(*other) + " are one option of " +
                                        chosen->schema().id + ": " + now + "; give one of them");
    if (s.saved != Saved::by_default) warnings.push_back(place_of(s) + ": " + chosen->schema().id + "'s option " + now);
    renamed.emplace_back(i, chosen->key() + "." + option->name);
  }
  for (auto& [i, key] : renamed) composition.settings[i].key = std::move(key);
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
