// Truncated back-propagation through time: splits a batch along its second dimension.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

namespace levin::core {

// Returns the views [:, t:t+size] of all tensors for t = 0, size, 2 * size, ...; the last split may be shorter. Throws
// Error{usage} unless all tensors have a second dimension of the same length; a model with other batches has to
// override tbptt_split_batch.
std::vector<std::vector<at::Tensor>> tbptt_split(const std::vector<at::Tensor>& batch, int64_t size);

}  // namespace levin::core
