// Options given more than once on the command line.
#pragma once
#include <vector>

#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Merges repeated settings of a list option into one setting with all items. Throws Error{usage} if any other option is
// set twice; the message has both values.
void gather_lists(std::vector<Setting>& settings, const KnownOptions& known);

}  // namespace levin::core
