#include "progress.hpp"

#include <algorithm>
#include <thread>

namespace download {

std::string megabytes(uint64_t bytes) {
  const uint64_t tenths = bytes / 100000;
  return std::to_string(tenths / 10) + (tenths < 100 ? "." + std::to_string(tenths % 10) : "") + " MB";
}

void wait_for(std::chrono::milliseconds time, const Progress& progress) {
  constexpr std::chrono::milliseconds step(100);
  for (; time.count() > 0; time -= step) {
    if (progress.ends()) throw Ended{};
    std::this_thread::sleep_for(std::min(time, step));
  }
}

}  // namespace download
