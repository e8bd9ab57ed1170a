// Numbers of things in messages.
#pragma once
#include <cstdint>
#include <string>

namespace common {

// Returns "1 row" or "2 rows".
inline std::string counted(uint64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace common
