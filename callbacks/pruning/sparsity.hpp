// How large a part of the weights is pruned in an epoch.
#pragma once
#include <cmath>
#include <cstdint>

namespace levin::pruning {

struct Epochs {
  int64_t first, last;  // in which weights are pruned, at the start of each
  bool contain(int64_t epoch) const { return epoch >= first && epoch <= last; }
};

// Returns the part in an epoch of `epochs`. It grows fast at first and reaches `amount` in the last one (Zhu and Gupta
// 2017, arXiv 1710.01878); in a single epoch it is `amount`.
inline double sparsity_in(const Epochs& epochs, double amount, int64_t epoch) {
  const double done =
      static_cast<double>(epoch - epochs.first + 1) / static_cast<double>(epochs.last - epochs.first + 1);
  return amount * (1 - std::pow(1 - done, 3));
}

}  // namespace levin::pruning
