// Runs work over [0, total) on LibTorch's threads, with any OpenMP library.
#pragma once
#include <cstdint>
#include <functional>

namespace levin::core {

// Ranges begin at multiples of it.
constexpr int64_t range_grain = 1 << 15;

// Calls run(begin, end) for ranges that cover [0, total), on several threads if there are enough elements.
void parallel_ranges(int64_t total, const std::function<void(int64_t begin, int64_t end)>& run);

}  // namespace levin::core
