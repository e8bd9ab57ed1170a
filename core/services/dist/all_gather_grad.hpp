// all_gather with gradients.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/services/dist_parts.hpp"

namespace levin::core {

// Returns the tensors of all ranks of the group. The backward pass, which all ranks must run, sums the ranks' gradients
// of each tensor and returns the sum to the tensor's rank.
std::vector<at::Tensor> all_gather_with_grads(const at::Tensor& tensor, const std::shared_ptr<PluginGroup>& group);

}  // namespace levin::core
