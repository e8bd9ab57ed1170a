// Checks that every key of the settings exists.
#pragma once
#include "host/compose/composition.hpp"
#include "host/compose/known_option.hpp"

namespace levin::core {

// Throws Error{usage} for the first setting whose key does not exist. The message suggests a similar key and, for a
// component of `source` that is not part of the run, how to add it.
void check_keys(const Composition& composition, const KnownOptions& known, ComponentSource& source);

}  // namespace levin::core
