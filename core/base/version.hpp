// The project's version, and the order of versions.
#pragma once
#include <string_view>

namespace levin::core {

inline constexpr const char* host_version = LEVIN_VERSION;  // set by the build

// Returns a number below 0 if version a is older than b, 0 if they are equal, and above 0 if a is newer. The parts
// between dots are compared as numbers; missing parts are 0. Text after a '+' is ignored. "2.0-rc1" is older than
// "2.0".
int compare_versions(std::string_view a, std::string_view b);

}  // namespace levin::core
