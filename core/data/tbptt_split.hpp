// Truncated back-propagation through time: a batch cut along its second dimension.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

namespace levin::core {

// Views [:, t:t+size] of every tensor, for t = 0, size, 2 * size, ...; the last split may be shorter. All tensors need
// a second dimension of the same length, else Error{usage}: the model then has to override tbptt_split_batch.
std::vector<std::vector<at::Tensor>> tbptt_split(const std::vector<at::Tensor>& batch, int64_t size);

}  // namespace levin::core
