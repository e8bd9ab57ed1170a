#include "core/data/fill_cost.hpp"

#include <algorithm>
#include <cmath>

namespace levin::core {

void FillCost::add(double fill, double step) {
  ++batches_;
  fill_ += fill;
  step_ += step;
}

std::optional<int64_t> FillCost::workers(int64_t cores) const {
  constexpr int64_t enough = 4;
  constexpr double handing_over = 0.0005;  // seconds; a batch that takes less is not worth the turns of two threads
  if (batches_ < enough) return std::nullopt;
  if (cores < 2 || fill_ < handing_over * static_cast<double>(batches_) || fill_ < 0.1 * (fill_ + step_)) return 0;
  const double wanted = std::ceil(fill_ / std::max(step_, 1e-9));
  return static_cast<int64_t>(std::clamp(wanted, 1.0, static_cast<double>(cores)));
}

}  // namespace levin::core
