// How a download talks with the run that waits for it.
#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace download {

struct Progress {
  std::function<void(const std::string&)> tell;       // gets messages for the user
  std::function<bool()> ends = [] { return false; };  // returns true if the run ends before its download
};

// Thrown soon after Progress::ends has returned true.
struct Ended {};

// Waits. Throws Ended.
void wait_for(std::chrono::milliseconds time, const Progress& progress);

}  // namespace download
