#include "core/optim/optimizers/parallel_ranges.hpp"

#include <algorithm>

#include "core/kernels/common/parallel_for.hpp"

namespace levin::core {
namespace {

// Waking the threads takes some microseconds, about the time for this many elements.
constexpr int64_t least_elements = 1 << 17;

}  // namespace

void parallel_ranges(int64_t total, const std::function<void(int64_t begin, int64_t end)>& run) {
  const int64_t chunks = (total + range_grain - 1) / range_grain;
  if (total < least_elements || chunks < 2) return run(0, total);
  parallel_for(chunks, 1,
               [&](int64_t begin, int64_t end) { run(begin * range_grain, std::min(total, end * range_grain)); });
}

}  // namespace levin::core
