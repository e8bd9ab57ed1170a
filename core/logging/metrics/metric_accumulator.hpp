// One logged value: of the last step, and its reduction over the epoch. Values on the CPU are plain numbers; values on
// another device stay tensors there until they are read.
#pragma once
#include <ATen/core/Tensor.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/logging/metrics/log_rules.hpp"

namespace levin::core {

// Computes in float, as Lightning does, unless the value is a double tensor.
class MetricAccumulator {
 public:
  void reset();
  // weight: the batch size, by which means are weighted. Tensors must have one element.
  void update(double value, Reduce reduce, int64_t weight, bool on_epoch);
  void update(const at::Tensor& value, Reduce reduce, int64_t weight, bool on_epoch);
  double step() const;  // synchronizes the device
  double epoch(Reduce reduce) const;
  // One process's part of an epoch's value, or the value over all processes. Of a mean: the sums of weighted values and
  // of weights.
  struct Part {
    double total;
    int64_t weight;
    bool wide;  // computed in double
  };
  Part part() const;                                        // synchronizes the device
  void add(const MetricAccumulator& other, Reduce reduce);  // adds another process's values; synchronizes the device
  bool wide() const { return wide_; }
  bool empty() const { return empty_; }  // no values in this epoch
  static double joined(const std::vector<Part>& parts, Reduce reduce);
  nlohmann::json state_dict() const;  // synchronizes the device; values that are not finite are text
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
