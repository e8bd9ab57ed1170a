// Correlations of ranks.
#pragma once
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

// Returns the ranks of numbers [N], from 1; equal numbers have the mean of their ranks. NaN has the rank NaN.
inline at::Tensor ranks_of(const at::Tensor& numbers) {
  const auto [sorted, order] = numbers.sort();
  const auto [values, inverse, counts] =
      at::unique_consecutive(sorted, /*return_inverse=*/true, /*return_counts=*/true);
  const at::Tensor last = counts.cumsum(0).to(at::kDouble);
  const at::Tensor mean = last - (counts.to(at::kDouble) - 1) / 2;
  const at::Tensor ranks = at::zeros_like(numbers).index_copy(0, order, mean.index_select(0, inverse));
  return at::where(numbers.isnan(), numbers, ranks);
}

// Returns Pearson's correlation of ranks.
inline at::Tensor correlation(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a - a.mean(), y = b - b.mean();
  return (x * y).sum() / (x.square().sum() * y.square().sum()).sqrt();
}

// Sorts by merging, and returns the number of pairs that were in the wrong order.
inline int64_t sort_counting(std::vector<double>& values, std::vector<double>& space, size_t from, size_t to) {
  if (to - from < 2) return 0;
  const size_t middle = from + (to - from) / 2;
  int64_t swaps = sort_counting(values, space, from, middle) + sort_counting(values, space, middle, to);
  for (size_t left = from, right = middle, out = from; out < to; ++out) {
    if (right == to || (left < middle && values[left] <= values[right])) {
      space[out] = values[left++];
    } else {
      space[out] = values[right++];
      swaps += static_cast<int64_t>(middle - left);
    }
  }
  std::copy(space.begin() + static_cast<std::ptrdiff_t>(from), space.begin() + static_cast<std::ptrdiff_t>(to),
            values.begin() + static_cast<std::ptrdiff_t>(from));
  return swaps;
}

// Kendall's tau-b by Knight's algorithm. Numbers [N] of two variables.
inline double tau_b(const at::Tensor& of_y, const at::Tensor& of_t) {
  const at::Tensor y_cpu = of_y.to(at::kCPU, at::kDouble).contiguous(),
                   t_cpu = of_t.to(at::kCPU, at::kDouble).contiguous();
  const double *y = y_cpu.data_ptr<double>(), *t = t_cpu.data_ptr<double>();
  const auto n = static_cast<size_t>(y_cpu.numel());
  if (y_cpu.isnan().any().item<bool>() || t_cpu.isnan().any().item<bool>())
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return t[a] != t[b] ? t[a] < t[b] : y[a] < y[b]; });
  // Returns the number of pairs i < j of neighbours in a row for which same(i, i + 1) holds all the way.
  const auto tied_pairs = [&](auto&& same) {
    int64_t pairs = 0, run = 0;
    for (size_t i = 1; i < n; ++i) {
      run = same(i - 1, i) ? run + 1 : 0;
      pairs += run;
    }
    return pairs;
  };
  const int64_t t_ties = tied_pairs([&](size_t i, size_t j) { return t[order[i]] == t[order[j]]; });
  const int64_t both_ties =
      tied_pairs([&](size_t i, size_t j) { return t[order[i]] == t[order[j]] && y[order[i]] == y[order[j]]; });
  std::vector<double> values(n), space(n);
  for (size_t i = 0; i < n; ++i) values[i] = y[order[i]];
  const int64_t swaps = sort_counting(values, space, 0, n);
  const int64_t y_ties = tied_pairs([&](size_t i, size_t j) { return values[i] == values[j]; });
  const int64_t pairs = static_cast<int64_t>(n) * (static_cast<int64_t>(n) - 1) / 2;
  const double concordance = static_cast<double>(pairs - t_ties - y_ties + both_ties - 2 * swaps);
  return concordance /
         (std::sqrt(static_cast<double>(pairs - t_ties)) * std::sqrt(static_cast<double>(pairs - y_ties)));
}

}  // namespace levin::metrics::named
#pragma GCC visibility pop
