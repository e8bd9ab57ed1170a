// Resolves the options of a run's components from the settings.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

struct ResolvedOption {
  nlohmann::json value;
  std::string origin;  // "default" if no setting gave the value
};

// Returns the start of an error message about the setting: its origin, then its key unless the origin is the option
// itself.
std::string place_of(const Setting& setting);

// Returns the last setting of the key with at least this rank, or nullptr if there is none.
const Setting* last_setting(const std::vector<Setting>& settings, const std::string& key, int rank = 0);

// Returns the optimizers that plugins provide. Called only for a name that is not among an option's choices.
using PluginOptimizers = std::function<std::vector<FoundComponent>()>;

// Returns all options of the component by name, checked. Throws Error{usage} if a value is invalid or a required option
// is missing.
std::map<std::string, ResolvedOption> resolve_options(const ChosenComponent& chosen,
                                                      const std::vector<Setting>& settings,
                                                      const PluginOptimizers& optimizers);

}  // namespace levin::core
