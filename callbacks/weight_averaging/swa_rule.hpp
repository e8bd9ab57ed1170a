// The arithmetic of stochastic weight averaging.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace levin::weight_averaging {

// The epochs, counted from 0, at whose start the weights are averaged. start: an epoch counted from 1, or a fraction of
// max_epochs.
struct SwaEpochs {
  int64_t first, last;
};
inline SwaEpochs swa_epochs(double start, bool fraction, int64_t max_epochs) {
  const int64_t epoch =
      fraction ? static_cast<int64_t>(static_cast<double>(max_epochs) * start) : static_cast<int64_t>(start);
  return {std::max<int64_t>(epoch - 1, 0), max_epochs - 1};
}

// Returns the learning rate in the n-th epoch of averaging, counted from 0, between lr and swa_lr.
inline double annealed_lr(double lr, double swa_lr, int64_t n, int64_t annealing_epochs, bool cosine) {
  const double t =
      annealing_epochs == 0 ? 1.0 : std::min(1.0, static_cast<double>(n) / static_cast<double>(annealing_epochs));
  const double alpha = cosine ? (1 - std::cos(3.14159265358979323846 * t)) / 2 : t;
  return alpha == 1 ? swa_lr : swa_lr * alpha + lr * (1 - alpha);
}

}  // namespace levin::weight_averaging
