// The time without a heartbeat after which a process of a run counts as lost.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace levin::core {

// Returns LEVIN_HEARTBEAT_TIMEOUT (in seconds) if it is set, else 15 s, because the connection to another machine may
// be interrupted briefly.
inline std::chrono::milliseconds heartbeat_timeout() {
  constexpr double most = 1e9;
  const char* given = std::getenv("LEVIN_HEARTBEAT_TIMEOUT");
  const double seconds = given ? std::atof(given) : 0;
  return std::chrono::milliseconds(seconds > 0 ? static_cast<int64_t>(std::min(seconds, most) * 1000) : 15000);
}

}  // namespace levin::core
