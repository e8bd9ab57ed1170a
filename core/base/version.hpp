// The project's version, which the build sets.
#pragma once

namespace levin::core {

inline constexpr const char* version = LEVIN_VERSION;

}  // namespace levin::core
