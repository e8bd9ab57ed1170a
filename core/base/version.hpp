// The project's version; set by the build.
#pragma once

namespace levin::core {

inline constexpr const char* version = LEVIN_VERSION;

}  // namespace levin::core
