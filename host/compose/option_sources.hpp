// Says which source sets an option of a run, and what it overrides.
#pragma once
#include <string>

#include "host/compose/run_builder.hpp"

namespace levin::core {

// name: a dotted key, a short name, or a component such as "model" or "callback.best". Returns a row for each option
// that has the name: {"option", "value", "origin", "others": [{"value", "origin", "overridden"}, ...]}. The others were
// given, too: the strongest first, overridden or meant for another component. A row may have "used", the value that the
// run uses in place of it, and that of a component has "file", and "off" with the reason if it is switched off. Values
// of secrets are left out. Throws Error{usage} for a name that the run does not have.
nlohmann::json explain_option(const BuiltRun& run, const std::string& name);

// Returns such a row as lines of text.
std::string explanation_text(const nlohmann::json& row);

}  // namespace levin::core
