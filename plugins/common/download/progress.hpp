// How a download talks with the run that waits for it.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace download {

struct Progress {
  std::function<void(const std::string&)> tell;       // gets messages for the user
  std::function<bool()> ends = [] { return false; };  // returns true if the run ends before its download
};

// Thrown soon after Progress::ends has returned true.
struct Ended {};

// Returns a size for messages: "0.3 MB", "120 MB".
std::string megabytes(uint64_t bytes);

// Waits. Throws Ended.
void wait_for(std::chrono::milliseconds time, const Progress& progress);

}  // namespace download
