#include "core/precision/loss_scaler.hpp"

#include <cmath>

namespace levin::core {
namespace {
constexpr double growth_factor = 2.0, backoff_factor = 0.5;
constexpr int64_t growth_interval = 2000;
}  // namespace

at::Tensor LossScaler::scale(const at::Tensor& loss) const { return loss * scale_; }

bool LossScaler::unscale(const std::vector<at::Tensor>& grads) {
  const at::NoGradGuard no_grad;
  at::Tensor total;
  for (at::Tensor grad : grads) {
    grad.mul_(1.0 / scale_);
    const at::Tensor sum = grad.sum(at::kFloat);
    total = total.defined() ? total + sum.to(total.device()) : sum;  // a model's parameters may be on several devices
  }
  found_inf_ = total.defined() && !std::isfinite(total.item<float>());
  return !found_inf_;
}

void LossScaler::update() {
  if (found_inf_) {
    scale_ *= backoff_factor;
    growth_tracker_ = 0;
  } else if (++growth_tracker_ == growth_interval) {
    scale_ *= growth_factor;
    growth_tracker_ = 0;
  }
  found_inf_ = false;
}

nlohmann::json LossScaler::state_dict() const { return {{"scale", scale_}, {"_growth_tracker", growth_tracker_}}; }

void LossScaler::load_state_dict(const nlohmann::json& state) {
  scale_ = state.value("scale", scale_);
  growth_tracker_ = state.value("_growth_tracker", growth_tracker_);
}

}  // namespace levin::core
