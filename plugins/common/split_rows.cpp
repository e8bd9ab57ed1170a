#include "split_rows.hpp"

#include <algorithm>
#include <numeric>

#include "levin/error.hpp"
#include "mixed.hpp"

namespace common {
namespace {

// Uses the entries begin to end (exclusive) of the order for validation.
SplitRows split_order(const std::vector<uint32_t>& order, int64_t begin, int64_t end) {
  SplitRows rows{{order.begin(), order.begin() + begin}, {order.begin() + begin, order.begin() + end}, {}};
  rows.train.insert(rows.train.end(), order.begin() + end, order.end());
  std::sort(rows.train.begin(), rows.train.end());
  std::sort(rows.val.begin(), rows.val.end());
  return rows;
}

}  // namespace

std::vector<uint32_t> random_order(int64_t n, int64_t drawn, uint64_t seed) {
  std::vector<uint32_t> order = all_rows(n);
  for (size_t i = 0; i < static_cast<size_t>(drawn); ++i)
    std::swap(order[i], order[i + mixed(mixed(seed) + i) % (order.size() - i)]);
  return order;
}

SplitRows split_rows(int64_t n, int64_t n_val, uint64_t seed) {
  return split_order(random_order(n, n_val, seed), 0, n_val);
}

SplitRows fold_rows(int64_t n, int64_t folds, int64_t fold, uint64_t seed) {
  return split_order(random_order(n, n, seed), n * fold / folds, n * (fold + 1) / folds);
}

std::vector<uint32_t> all_rows(int64_t n) {
  std::vector<uint32_t> rows(static_cast<size_t>(n));
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

uint32_t row_at(const std::vector<uint32_t>& rows, int64_t index) {
  if (index >= 0 && index < static_cast<int64_t>(rows.size())) return rows[static_cast<size_t>(index)];
  throw levin::Error(LEVIN_E_INVALID,
                     "there is no row " + std::to_string(index) + " of " + std::to_string(rows.size()));
}

}  // namespace common
