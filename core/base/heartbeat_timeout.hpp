// After how long without a sign of life a process of a run counts as lost.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace levin::core {

// 15 s: one of another machine may be cut off for a moment. LEVIN_HEARTBEAT_TIMEOUT says it in seconds.
inline std::chrono::milliseconds heartbeat_timeout() {
  constexpr double most = 1e9;
  const char* given = std::getenv("LEVIN_HEARTBEAT_TIMEOUT");
  const double seconds = given ? std::atof(given) : 0;
  return std::chrono::milliseconds(seconds > 0 ? static_cast<int64_t>(std::min(seconds, most) * 1000) : 15000);
}

}  // namespace levin::core
