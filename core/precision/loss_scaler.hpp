// Dynamic loss scaling for fp16, with the rule and the defaults of torch.amp.GradScaler.
#pragma once
#include <ATen/core/Tensor.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace levin::core {

class LossScaler {
 public:
  at::Tensor scale(const at::Tensor& loss) const;
  double scale() const { return scale_; }
  // Divides the gradients by the scale. Returns false if one of them is not finite. Synchronizes with the device.
  bool unscale(const std::vector<at::Tensor>& grads);
  // Adjusts the scale. Call it after each optimizer step, even if the step was skipped.
  void update();
  nlohmann::json state_dict() const;
  void load_state_dict(const nlohmann::json& state);

 private:
  double scale_ = 65536.0;
  int64_t growth_tracker_ = 0;
  bool found_inf_ = false;
};

}  // namespace levin::core
