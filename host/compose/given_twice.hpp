// Options that the command line gives more than once.
#pragma once
#include <vector>

#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Makes one setting of those of an option that is a list, with the items of all. Throws Error{usage} for two settings
// of any other option, and names both values.
void gather_lists(std::vector<Setting>& settings, const KnownOptions& known);

}  // namespace levin::core
