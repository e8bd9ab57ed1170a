#include "spike_rule.hpp"

#include <cmath>

namespace levin::spike_detection {

float SpikeRule::mean() const {
  float sum = 0;
  for (const float value : window_) sum += value;
  return window_.empty() ? std::nanf("") : sum / static_cast<float>(window_.size());
}

bool SpikeRule::is_spike(float loss) const {
  if (options_.finite_only && !std::isfinite(loss)) return true;
  const float change = loss - last_;
  if (options_.maximize ? change >= 0 : change <= 0) return false;
  const float usual = mean(), far = std::fabs(loss - usual);
  const bool absolute = !options_.atol || far >= std::fabs(static_cast<float>(*options_.atol));
  const bool relative = !options_.rtol || far >= std::fabs(static_cast<float>(*options_.rtol) * usual);
  return absolute && relative;
}

bool SpikeRule::add(int64_t batch_idx, double given) {
  const float loss = static_cast<float>(given);
  if (batch_idx >= options_.warmup && is_spike(loss)) return true;
  if (!options_.finite_only && !std::isfinite(loss)) return false;
  window_.push_back(loss);
  if (window_.size() > options_.window) window_.pop_front();
  last_ = loss;
  return false;
}

}  // namespace levin::spike_detection
