// Levin's own plugins that a build or an installation may be without.
#pragma once
#include <string>

namespace levin::core {

// Returns the end of an error about a component that is not found: "; hdf5 is in Levin's plugin hdf5, ...", and how to
// get it. Returns "" if none of these plugins has the component.
std::string how_to_get(const std::string& id);

}  // namespace levin::core
