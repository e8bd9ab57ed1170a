// The clock of measured times.
#pragma once
#include <chrono>

#pragma GCC visibility push(hidden)
namespace levin {

// Seconds of a clock that never goes back, since a moment that does not matter.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace levin
#pragma GCC visibility pop
