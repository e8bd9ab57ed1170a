// Whether every key that somebody gave is one.
#pragma once
#include "host/compose/composition.hpp"
#include "host/compose/known_option.hpp"

namespace levin::core {

// Throws Error{usage} for the first key of the composition's settings that is none, with the nearest name.
void check_keys(const Composition& composition, const KnownOptions& known);

}  // namespace levin::core
