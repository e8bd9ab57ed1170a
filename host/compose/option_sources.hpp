// Says which source sets an option of a run, and what it overrides.
#pragma once
#include <string>

#include "host/compose/run_builder.hpp"

namespace levin::core {

// name: a dotted key, a short name, or a component such as "model" or "callback.best". Returns lines of text: the value
// with its source, then the values that it overrides. Values of secrets are left out. Throws Error{usage} for a name
// that the run does not have.
std::string explain_option(const BuiltRun& run, const std::string& name);

}  // namespace levin::core
