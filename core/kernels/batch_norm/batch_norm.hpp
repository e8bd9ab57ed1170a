// Batch norm in training, of float tensors in row-major order on the CPU. The algorithm is LibTorch's.
#pragma once
#include <torch/library.h>

namespace levin::core {

// For aten::native_batch_norm and aten::native_batch_norm_backward. Other calls go to LibTorch's kernels.
void add_batch_norm(torch::Library& library);

}  // namespace levin::core
