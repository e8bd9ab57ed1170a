// Options that a component has renamed or deprecated.
#pragma once
#include <string>
#include <vector>

#include "host/compose/composition.hpp"

namespace levin::core {

// The option with this present or former name; nullptr: the component has none.
const OptionSchema* find_option(const ComponentSchema& component, const std::string& name);

// Gives settings under a former name the present one, and adds a line to `warnings` for each that a user chose. Throws
// Error{usage} if one source gives an option under two names.
void apply_renamed_options(Composition& composition, std::vector<std::string>& warnings);

// A line for each deprecated option that somebody set. What a saved run had by default counts as not set.
std::vector<std::string> deprecated_options(const Composition& composition);

}  // namespace levin::core
