#include "split_rows.hpp"

#include <algorithm>
#include <numeric>

#include "augment.hpp"

namespace mnist {

SplitRows split_rows(int64_t n, int64_t n_val, uint64_t seed) {
  std::vector<uint32_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = 0; i < static_cast<size_t>(n_val); ++i)
    std::swap(order[i], order[i + mixed(mixed(seed) + i) % (order.size() - i)]);
  SplitRows rows{{order.begin() + n_val, order.end()}, {order.begin(), order.begin() + n_val}};
  std::sort(rows.train.begin(), rows.train.end());
  std::sort(rows.val.begin(), rows.val.end());
  return rows;
}

}  // namespace mnist
