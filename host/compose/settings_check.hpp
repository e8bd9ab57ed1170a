// Checks the settings against the options that exist, and merges repeated ones.
#pragma once
#include <vector>

#include "core/base/error.hpp"
#include "host/compose/composition.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Returns an Error{usage} for each setting whose key does not exist. The message suggests a similar key and, for a
// component of `source` that is not part of the run, how to add it.
std::vector<Error> key_errors(const Composition& composition, const KnownOptions& known, ComponentSource& source);
// Throws the first of these errors.
void check_keys(const Composition& composition, const KnownOptions& known, ComponentSource& source);

// Returns the value of a setting in the type of its option. Throws Error{usage} if the user gave an invalid value.
// Settings of other keys keep their value, and so do those of a component that a later setting replaced.
nlohmann::json check_value(const Setting& setting, const Composition& composition, const KnownOptions& known,
                           ComponentSource& source);

// Merges repeated settings of a list option into one setting with all items. Throws Error{usage} if any other option is
// set twice; the message has both values.
void gather_lists(std::vector<Setting>& settings, const KnownOptions& known);

}  // namespace levin::core
