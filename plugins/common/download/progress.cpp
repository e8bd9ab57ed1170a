#include "progress.hpp"

#include <algorithm>
#include <thread>

namespace download {

void wait_for(std::chrono::milliseconds time, const Progress& progress) {
  constexpr std::chrono::milliseconds step(100);
  for (; time.count() > 0; time -= step) {
    if (progress.ends()) throw Ended{};
    std::this_thread::sleep_for(std::min(time, step));
  }
}

}  // namespace download
