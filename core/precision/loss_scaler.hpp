// A dynamic loss scale for fp16: the rule and defaults of torch.amp.GradScaler.
#pragma once
#include <ATen/core/Tensor.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace levin::core {

class LossScaler {
 public:
  at::Tensor scale(const at::Tensor& loss) const;
  // Divides the gradients by the scale; false when one of them is not finite. Waits for the device.
  bool unscale(const std::vector<at::Tensor>& grads);
  // After each optimizer step, taken or left out.
  void update();
  double value() const { return scale_; }
  nlohmann::json state_dict() const;
  void load_state_dict(const nlohmann::json& state);

 private:
  double scale_ = 65536.0;
  int64_t growth_tracker_ = 0;
  bool found_inf_ = false;
};

}  // namespace levin::core
