// Renamed and deprecated options of components.
#pragma once
#include <string>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

// Returns the option with this present or former name, or nullptr if the component has none.
const OptionSchema* find_option(const ComponentSchema& component, const std::string& name);

// Replaces former option names in the settings by the present ones, and adds a line to `warnings` for each that a user
// chose. Throws Error{usage} if one source gives an option under two names.
void apply_renamed_options(Composition& composition, std::vector<std::string>& warnings);

// Returns a line for each deprecated option that was set. Values that were defaults of a saved run do not count as set.
std::vector<std::string> deprecated_options(const Composition& composition);

}  // namespace levin::core
