#include "board/thinned.hpp"

#include <algorithm>
#include <cmath>

namespace levin::core::board {

std::vector<size_t> thinned(const std::vector<double>& values, size_t most) {
  const size_t n = values.size();
  std::vector<size_t> out;
  if (n <= most || most < 6) {
    for (size_t i = 0; i < n; ++i) out.push_back(i);
    return out;
  }
  const size_t intervals = (most - 2) / 3;
  out.push_back(0);
  for (size_t k = 0; k < intervals; ++k) {
    const size_t begin = k * n / intervals, end = (k + 1) * n / intervals;
    size_t kept[3], count = 0, low = end, high = end, none = end;
    for (size_t i = begin; i < end; ++i) {
      if (std::isnan(values[i])) {
        if (none == end) none = i;
        continue;
      }
      if (low == end || values[i] < values[low]) low = i;
      if (high == end || values[i] > values[high]) high = i;
    }
    for (const size_t i : {low, high, none})
      if (i != end) kept[count++] = i;
    std::sort(kept, kept + count);
    for (size_t i = 0; i < count; ++i)
      if (kept[i] > out.back()) out.push_back(kept[i]);
  }
  if (out.back() != n - 1) out.push_back(n - 1);
  return out;
}

}  // namespace levin::core::board
