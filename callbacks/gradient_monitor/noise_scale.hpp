// The gradient noise scale: the batch size above which larger batches save few steps (McCandlish et al. 2018, arXiv
// 1812.06162).
#pragma once
#include <cmath>
#include <optional>

namespace levin::gradient_monitor {

// Estimates it from the gradients of two steps that follow each other. Their noise is independent, so their product
// estimates the square of the true gradient, and what their own squares are larger by is noise.
struct NoiseScale {
  double signal = 0, noise = 0;  // sums that decay, of the gradient's square and the noise's, of one step

  void add(double square, double next_square, double product, double decay) {
    signal = decay * signal + (1 - decay) * product;
    noise = decay * noise + (1 - decay) * ((square + next_square) / 2 - product);
  }
  // Returns the noise scale in rows; nullopt = the estimates are not positive yet. rows: of a step.
  std::optional<double> value(double rows) const {
    if (!(signal > 0 && noise > 0)) return std::nullopt;
    return rows * noise / signal;
  }
};

}  // namespace levin::gradient_monitor
