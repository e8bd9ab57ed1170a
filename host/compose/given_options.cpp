#include "host/compose/given_options.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "host/compose/component_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Settings = std::vector<Setting>;

// Returns true if the settings of this rank have every option of the component, as in a file written by
// --print_config.
bool is_printed(const ChosenComponent& chosen, int rank, const Settings& settings) {
  for (const auto& option : chosen.schema().options) {
    if (option.flags & LEVIN_OPT_SECRET) continue;
    const auto says = [&](const Setting& s) { return s.rank == rank && s.key == chosen.key() + "." + option.name; };
    if (std::none_of(settings.begin(), settings.end(), says)) return false;
  }
  return true;
}

// Returns true for a recommendation, also one of a saved run.
bool is_recommended(const Setting& said) { return starts_with(said.origin, "recommended by "); }

// Returns the value that the key has if the user sets nothing.
json value_without_user(const std::string& key, json deflt, const Settings& settings) {
  for (const Setting& s : settings)
    if (s.key == key && !s.by_user()) deflt = s.value;
  return deflt;
}

}  // namespace

bool user_set_option(const ChosenComponent& chosen, const OptionSchema& option, const Settings& settings) {
  const std::string key = chosen.key() + "." + option.name;
  const Setting* said = last_setting(settings, key, chosen.rank);
  if (said == nullptr || !said->by_user() || is_recommended(*said)) return false;
  if (said->saved != Saved::no) return said->given;
  if (said->rank >= rank_environment || !is_printed(chosen, said->rank, settings)) return true;
  return said->value != value_without_user(key, option.deflt, settings);
}

bool user_set_loader_option(const Setting& said, const json& value, const OptionSchema& option, const json& loader,
                            const Settings& settings) {
  if (!said.by_user() || said.saved == Saved::by_default || is_recommended(said)) return false;
  if (said.rank >= rank_environment || said.saved == Saved::chosen) return true;
  json otherwise = value_without_user(said.key, option.deflt, settings);
  if (otherwise.is_null() && !value.is_null()) otherwise = loader.value("batch_size", otherwise);
  return value != otherwise;
}

}  // namespace levin::core
