// The options of the components of a run, from what was said about them.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

struct ResolvedOption {
  nlohmann::json value;
  std::string origin;  // "default" where nobody said anything
};

// Where an error about the setting is: its origin, with the key unless the origin is the option itself.
std::string place_of(const Setting& setting);

// The last setting of the key that ranks at least `rank`; null: nobody said anything.
const Setting* last_setting(const std::vector<Setting>& settings, const std::string& key, int rank = 0);

// Ids of the optimizers that plugins bring; asked only for a name that is not among an option's choices.
using OptimizerIds = std::function<std::vector<std::string>()>;

// Every option of the component, checked, by name. Throws Error{usage} for a missing required one.
std::map<std::string, ResolvedOption> resolve_options(const ChosenComponent& chosen,
                                                      const std::vector<Setting>& settings,
                                                      const OptimizerIds& optimizers);

}  // namespace levin::core
