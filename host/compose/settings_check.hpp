// Checks the settings against the options that exist, and merges repeated ones.
#pragma once
#include <vector>

#include "host/compose/composition.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Throws Error{usage} for the first setting whose key does not exist. The message suggests a similar key and, for a
// component of `source` that is not part of the run, how to add it.
void check_keys(const Composition& composition, const KnownOptions& known, ComponentSource& source);

// Merges repeated settings of a list option into one setting with all items. Throws Error{usage} if any other option is
// set twice; the message has both values.
void gather_lists(std::vector<Setting>& settings, const KnownOptions& known);

}  // namespace levin::core
