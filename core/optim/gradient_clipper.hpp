// Norms of gradients, and gradient clipping.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "core/components/model.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// The norm before clipping. Stays on its device until value() is called, which synchronizes the device.
class GradNorm {
 public:
  explicit GradNorm(double value) : value_(value) {}
  explicit GradNorm(at::Tensor tensor) : tensor_(std::move(tensor)) {}
  double value() const;
  const at::Tensor& tensor() const { return tensor_; }  // undefined if value() needs no synchronization

 private:
  at::Tensor tensor_;
  double value_ = 0;
};

// Reuses its tables, so that a steady loop allocates nothing. Not thread-safe.
class GradientClipper {
 public:
  // Returns the 2-norm of all gradients of the optimizer's parameters.
  GradNorm norm(const Optimizer& optimizer);
  // Scales all gradients by max_norm / (norm + 1e-6) if that is below 1. Returns the norm before clipping.
  GradNorm clip_norm(const Optimizer& optimizer, double max_norm);
  // Clamps each element to [-value, value].
  void clip_value(const Optimizer& optimizer, double value);

 private:
  struct Slice {
    void* data;
    int64_t elements;
    bool f64;
  };
  // Returns false if a gradient is not a dense CPU tensor of float or double.
  bool collect(const Optimizer& optimizer);

  std::vector<Slice> slices_;
};

// Returns the p-norm of each parameter's gradient, as "grad_2.0_norm/weight", and the p-norm of these norms, as
// "grad_2.0_norm_total". Skips parameters without a gradient. The results stay on their devices. `p` must be above 0
// and may be infinity.
std::vector<NamedTensor> grad_norms(const std::vector<NamedTensor>& parameters, double p);

}  // namespace levin::core
