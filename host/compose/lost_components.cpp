#include "host/compose/plugin_changes.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/compose/composition.hpp"

namespace levin::core {
namespace {

// Returns the kind of the component that the setting chooses, or 0 if a run is not possible without it: models and data
// modules are required.
uint32_t kind_that_can_be_left_out(const Setting& s) {
  const uint32_t kind = kind_of_group(group_of(s.key));
  const std::string name = after_group(s.key);
  const bool is_component = s.saved != Saved::no && !name.empty() && name.find('.') == std::string::npos;
  const bool may_go = kind == LEVIN_KIND_CALLBACK || kind == LEVIN_KIND_LOGGER;
  return is_component && may_go && s.value.is_string() ? kind : 0;
}

// Returns the error of the search, or nullopt if the component is found.
std::optional<Error> why_not_found(const Setting& s, ComponentSource& source) {
  const uint32_t kind = kind_that_can_be_left_out(s);
  if (kind == 0) return std::nullopt;
  try {
    source.find(s.value.get<std::string>(), kind);
    return std::nullopt;
  } catch (const Error& e) {
    return e;
  }
}

// Returns the last setting of the key that is not from a saved run, or nullptr if there is none.
const Setting* later_setting(const std::vector<Setting>& settings, const std::string& key) {
  const auto found = std::find_if(settings.rbegin(), settings.rend(),
                                  [&](const Setting& s) { return s.key == key && s.saved == Saved::no; });
  return found == settings.rend() ? nullptr : &*found;
}

void remove_saved(std::vector<Setting>& settings, const std::string& key) {
  const auto is_of_it = [&](const Setting& s) {
    return s.saved != Saved::no && (s.key == key || starts_with(s.key, key + "."));
  };
  settings.erase(std::remove_if(settings.begin(), settings.end(), is_of_it), settings.end());
}

// Removes the settings that would switch off a removed component.
void remove_switches(std::vector<Setting>& settings, const std::string& key) {
  const auto switches_off = [&](const Setting& s) { return s.key == key && (s.value == false || s.value == "false"); };
  settings.erase(std::remove_if(settings.begin(), settings.end(), switches_off), settings.end());
}

}  // namespace

std::vector<std::string> leave_out_lost(std::vector<Setting>& settings, ComponentSource& source, bool allowed) {
  std::map<std::string, Error> lost;
  for (const Setting& s : settings)
    if (const auto why = why_not_found(s, source)) lost.emplace(s.key, *why);
  std::vector<std::string> lines;
  for (const auto& [key, why] : lost) {
    if (later_setting(settings, key) == nullptr) {
      const std::string what = group_of(key) + " " + after_group(key) + " of the saved run: " + why.what();
      if (!allowed) throw Error(why.code(), what + "; --allow_plugin_changes resumes without it");
      lines.push_back(what + "; the run resumes without it and its state");
    }
    remove_saved(settings, key);
    remove_switches(settings, key);
  }
  return lines;
}

}  // namespace levin::core
