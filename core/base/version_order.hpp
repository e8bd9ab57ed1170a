// The order of versions.
#pragma once
#include <string_view>

namespace levin::core {

// Returns a number below, equal to or above 0 as version a is older than b, equal to it or newer. The parts between
// dots are compared as numbers, and missing ones are 0; what follows a '+' is left out; "2.0-rc1" is older than "2.0".
int compare_versions(std::string_view a, std::string_view b);

}  // namespace levin::core
