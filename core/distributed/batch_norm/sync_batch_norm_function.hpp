// The arithmetic of synchronized batch norm, differentiable once.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>

#include "core/distributed/batch_norm/sync_batch_norm.hpp"

namespace levin::core {

struct BatchNormCall {
  at::Tensor running_mean, running_var;  // undefined = none; updated in place
  double momentum;
  double eps;
  std::shared_ptr<const BatchNormRanks> ranks;
};

// The input is [N, C, ...] of any floating-point type and memory format; weight and bias are optional. Half types are
// computed in float. Throws c10::Error if all ranks together have one value for each channel.
at::Tensor sync_batch_norm(const at::Tensor& input, const c10::optional<at::Tensor>& weight,
                           const c10::optional<at::Tensor>& bias, const BatchNormCall& call);

}  // namespace levin::core
