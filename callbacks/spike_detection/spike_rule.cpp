#include "spike_rule.hpp"

#include <cmath>

namespace levin::spike_detection {

float SpikeRule::mean() const {
  float sum = 0;
  for (const float value : window_) sum += value;
  return window_.empty() ? std::nanf("") : sum / static_cast<float>(window_.size());
}

bool SpikeRule::is_spike(float loss) const {
  if (o_.finite_only && !std::isfinite(loss)) return true;
  const float change = loss - last_;
  if (o_.maximize ? change >= 0 : change <= 0) return false;
  const float usual = mean(), far = std::fabs(loss - usual);
  const bool absolute = !o_.atol || far >= std::fabs(static_cast<float>(*o_.atol));
  const bool relative = !o_.rtol || far >= std::fabs(static_cast<float>(*o_.rtol) * usual);
  return absolute && relative;
}

bool SpikeRule::add(int64_t batch_idx, double given) {
  const float loss = static_cast<float>(given);
  if (batch_idx >= o_.warmup && is_spike(loss)) return true;
  if (!o_.finite_only && !std::isfinite(loss)) return false;
  window_.push_back(loss);
  if (window_.size() > o_.window) window_.pop_front();
  last_ = loss;
  return false;
}

}  // namespace levin::spike_detection
