// One logged value: its last step, and its reduction over the epoch. CPU values are plain numbers; values on a device
// stay tensors there until somebody reads them.
#pragma once
#include <ATen/core/Tensor.h>

#include <nlohmann/json.hpp>

#include "core/logging/log_rules.hpp"

namespace levin::core {

// Arithmetic is in float, as Lightning's, unless the value is a double tensor.
class MetricAccumulator {
 public:
  void reset();
  // weight: the batch size, of means. Tensors have one element.
  void update(double value, Reduce reduce, int64_t weight, bool on_epoch);
  void update(const at::Tensor& value, Reduce reduce, int64_t weight, bool on_epoch);
  double step() const;  // waits for the device
  double epoch(Reduce reduce) const;
  nlohmann::json state_dict() const;  // waits for the device; what is not finite is text
  void load_state_dict(const nlohmann::json& state);

 private:
  double round(double value) const { return wide_ ? value : static_cast<double>(static_cast<float>(value)); }
  void accumulate(double value, Reduce reduce, int64_t weight);
  void accumulate(const at::Tensor& value, Reduce reduce, int64_t weight);

  double step_ = 0, total_ = 0;
  at::Tensor step_tensor_, total_tensor_;
  int64_t weight_ = 0;
  bool empty_ = true, wide_ = false;
};

}  // namespace levin::core
