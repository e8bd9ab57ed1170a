// The clock of time measurements.
#pragma once
#include <chrono>

#pragma GCC visibility push(hidden)
namespace levin {

// Returns the seconds of a monotonic clock with an arbitrary start.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace levin
#pragma GCC visibility pop
