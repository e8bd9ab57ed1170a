#include "host/cli/tuners.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "host/compose/component_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

bool is_tuner(const ComponentSchema& component) { return (component.flags & LEVIN_F_FIRST) != 0; }

std::vector<FoundComponent> all_tuners(ComponentSource& source) {
  std::vector<FoundComponent> out;
  for (const FoundComponent& found : source.all(LEVIN_KIND_CALLBACK))
    if (is_tuner(*found.component)) out.push_back(found);
  return out;
}

// Returns the last value given for the option, or null. Text from the command line is parsed.
json said_of(const std::vector<Setting>& said, const std::string& option) {
  const Setting* last = last_setting(said, "trainer." + option);
  if (last == nullptr) return nullptr;
  return last->value.is_string() ? scalar_from_text(last->value.get<std::string>()) : last->value;
}

}  // namespace

bool names_tuner(const Composition& composition) {
  return std::any_of(composition.components.begin(), composition.components.end(), [](const ChosenComponent& chosen) {
    return chosen.group == "callback" && chosen.off.empty() && is_tuner(chosen.schema());
  });
}

std::vector<std::string> words_for_tuners(const std::vector<std::string>& arguments, ComponentSource& source) {
  std::vector<std::string> names;
  for (const FoundComponent& tuner : all_tuners(source))
    for (const auto& claim : tuner.component->claims)
      names.insert(names.end(), {"--" + claim.name, "--trainer." + claim.name});
  std::vector<std::string> out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!std::count(names.begin(), names.end(), arguments[i].substr(0, arguments[i].find('=')))) continue;
    out.push_back(arguments[i]);
    const bool value_follows = arguments[i].find('=') == std::string::npos && i + 1 < arguments.size();
    if (value_follows && !starts_with(arguments[i + 1], "--")) out.push_back(arguments[i + 1]);
  }
  return out;
}

std::vector<Setting> tuners_by_default(const std::vector<Setting>& said, ComponentSource& source) {
  std::vector<Setting> out;
  for (const FoundComponent& tuner : all_tuners(source)) {
    bool off = false;
    for (const auto& claim : tuner.component->claims) {
      const json value = said_of(said, claim.name);
      off = off || value == false;
      if (!value.is_null() && value != false) return {};
    }
    const std::string key = "callback." + tuner.component->id;
    if (!off && last_setting(out, key) == nullptr)
      out.push_back({key, tuner.component->full_name(), "host tune", rank_command_line});
  }
  if (out.empty())
    throw Error(ErrorCode::component_unknown,
                "host tune: there is no tuner among the plugins, or all are switched off");
  std::sort(out.begin(), out.end(), [](const Setting& a, const Setting& b) { return a.key < b.key; });
  return out;
}

void require_tuner(const Composition& composition) {
  if (names_tuner(composition)) return;
  std::vector<std::string> off;
  for (const ChosenComponent& chosen : composition.components)
    if (chosen.group == "callback" && is_tuner(chosen.schema()))
      off.push_back(chosen.key() + (chosen.off.empty() ? "" : " (" + chosen.off + ")"));
  throw Error(ErrorCode::options_conflict, "host tune: no tuner is left to run" +
                                               (off.empty() ? "" : ": switched off are " + join(off, ", ")) +
                                               "; leave out what switches them off, or name one by --callback");
}

void forget_tuners(RunConfig& saved, ComponentSource& source) {
  const auto tunes = [&](const ComponentConfig& c) {
    return is_tuner(*source.find(c.file + ":" + c.component, LEVIN_KIND_CALLBACK).component);
  };
  auto& all = saved.callbacks;
  all.erase(std::remove_if(all.begin(), all.end(), tunes), all.end());
}

}  // namespace levin::core
