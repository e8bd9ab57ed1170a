// all_gather through which gradients flow.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/services/dist_parts.hpp"

namespace levin::core {

// The tensors of all ranks of the group. In the backward pass, which all ranks have to make, each gets for its own
// tensor the sum of what the ranks have as its gradient.
std::vector<at::Tensor> all_gather_with_grads(const at::Tensor& tensor, const std::shared_ptr<PluginGroup>& group);

}  // namespace levin::core
