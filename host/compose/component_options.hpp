// The options of the components of a run: resolved from the settings, renamed and deprecated ones.
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

// Returns the setting's value for the option, checked. Throws Error{usage} if it is invalid.
nlohmann::json checked_value(const OptionSchema& option, const Setting& said, const PluginOptimizers& optimizers);

// Returns all options of the component by name, checked. Throws Error{usage} if a value is invalid or a required option
// is missing.
std::map<std::string, ResolvedOption> resolve_options(const ChosenComponent& chosen,
                                                      const std::vector<Setting>& settings,
                                                      const PluginOptimizers& optimizers);

// Returns the options that the host gives each component of the group: its loaders for "data", its initial weights for
// "model".
std::vector<const OptionSchema*> options_of_host(const std::string& group);

// Returns the option with this present or former name, or nullptr if the component has none.
const OptionSchema* find_option(const ComponentSchema& component, const std::string& name);

// Replaces former option names in the settings by the present ones, and adds a line to `warnings` for each that a user
// chose. Throws Error{usage} if one source gives an option under two names.
void apply_renamed_options(Composition& composition, std::vector<std::string>& warnings);

// Returns a line for the model and the data module if a setting of a lower rank named another one and gave it options,
// which are not used.
std::vector<std::string> unused_options(const Composition& composition);

// Returns a line for each deprecated option that was set. Values that were defaults of a saved run do not count as set.
std::vector<std::string> deprecated_options(const Composition& composition);

}  // namespace levin::core
