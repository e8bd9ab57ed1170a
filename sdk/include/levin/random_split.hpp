// levin::random_split: splits rows at random. The result depends on the seed only and is the same on every machine.
//   parts_ = levin::random_split(n, {0.8, 0.2}, seed);  // parts_[0]: the indices of 80 % of n rows
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "levin/error.hpp"
#include "levin/random.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// parts: fractions or numbers of rows. With fractions, remaining rows are added to the first parts, one row each.
inline std::vector<int64_t> part_sizes(int64_t rows, const std::vector<double>& parts) {
  double sum = 0;
  for (const double part : parts) {
    if (!(part >= 0)) throw Error(LEVIN_E_INVALID, "random_split: a part is negative or not a number");
    sum += part;
  }
  const bool fractions = std::abs(sum - 1) < 1e-9;
  std::vector<int64_t> sizes;
  bool whole = true;
  for (const double part : parts) {
    const double size = std::floor(fractions ? part * static_cast<double>(rows) : part);
    whole = whole && (fractions || size == part);
    sizes.push_back(static_cast<int64_t>(size));
  }
  if (!fractions && (!whole || sum != static_cast<double>(rows)))
    throw Error(LEVIN_E_INVALID,
                "random_split: the parts are fractions whose sum is 1, or numbers of rows whose sum is the " +
                    std::to_string(rows) + " rows; their sum is " + std::to_string(sum));
  int64_t rest = rows - std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
  for (size_t i = 0; rest > 0; i = (i + 1) % sizes.size(), --rest) ++sizes[i];
  return sizes;
}

}  // namespace detail

// Returns the indices 0 to rows - 1, each in one of the parts, in ascending order within a part. parts: fractions with
// the sum 1, or numbers of rows with the sum `rows`. Throws Error for other parts.
inline std::vector<std::vector<int64_t>> random_split(int64_t rows, const std::vector<double>& parts,
                                                      uint64_t seed = 0) {
  const std::vector<int64_t> sizes = detail::part_sizes(rows, parts);
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), int64_t{0});
  Random random(seed);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
  std::vector<std::vector<int64_t>> out;
  auto from = order.begin();
  for (const int64_t size : sizes) {
    out.emplace_back(from, from + size);
    std::sort(out.back().begin(), out.back().end());
    from += size;
  }
  return out;
}

}  // namespace levin
#pragma GCC visibility pop
