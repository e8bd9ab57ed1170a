// The options of the components of a run, from what was said about them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/config/composition.hpp"

namespace levin::core {

struct ResolvedOption {
  nlohmann::json value;
  std::string origin;  // "default" where nobody said anything
};

// Where an error about the setting is: its origin, with the key unless the origin is the option itself.
std::string place_of(const Setting& setting);

// The last setting of the key that ranks at least `rank`; null: nobody said anything.
const Setting* last_setting(const std::vector<Setting>& settings, const std::string& key, int rank = 0);

// Every option of the slot's schema, checked, by name. Throws Error{usage} for a missing required one.
// optimizers: the ids of those that plugins bring.
std::map<std::string, ResolvedOption> resolve_options(const Slot& slot, const std::vector<Setting>& settings,
                                                      const std::vector<std::string>& optimizers);

}  // namespace levin::core
