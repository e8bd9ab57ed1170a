#include "core/config/component_options.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {

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

std::map<std::string, ResolvedOption> resolve_options(const Slot& slot, const std::vector<Setting>& settings) {
  std::map<std::string, ResolvedOption> out;
  for (const auto& option : slot.schema().options) {
    const std::string key = slot.key() + "." + option.name;
    const Setting* said = last_setting(settings, key, slot.rank);
    if (said != nullptr) {
      out[option.name] = {check_option(option, said->value, place_of(*said)), said->origin};
    } else if (option.flags & LEVIN_OPT_REQUIRED) {
      throw Error(ErrorKind::usage, "--" + key + " is required by " + slot.schema().id + " (" + slot.found.file +
                                        "): " + describe_type(option) +
                                        (option.help.empty() ? "" : ", " + option.help));
    } else {
      out[option.name] = {check_option(option, option.deflt, key, ErrorKind::plugin), "default"};
    }
  }
  return out;
}

}  // namespace levin::core
