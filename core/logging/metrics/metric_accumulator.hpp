// One logged value: the value of the last step and the reduction over the epoch. Values on the CPU are plain numbers;
// values on another device stay tensors there until they are read.
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
  // `weight` is the batch size, which weights means. Tensors must have one element.
  void update(double value, Reduce reduce, int64_t weight, bool on_epoch);
  void update(const at::Tensor& value, Reduce reduce, int64_t weight, bool on_epoch);
  double step() const;  // waits for the device
  double epoch(Reduce reduce) const;
  // What one process has of the value of an epoch, and the value of all: of a mean, sums of weighted values and
  // weights.
  struct Part {
    double total;
    int64_t weight;
    bool wide;  // computed in double
  };
  Part part() const;                                        // waits for the device
  void add(const MetricAccumulator& other, Reduce reduce);  // what another process had; waits for the device
  bool wide() const { return wide_; }
  bool empty() const { return empty_; }  // nothing of the epoch came in
  static double joined(const std::vector<Part>& parts, Reduce reduce);
  nlohmann::json state_dict() const;  // waits for the device; values that are not finite are text
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
