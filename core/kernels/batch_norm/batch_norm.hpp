// Batch norm in training, of float tensors on the CPU, in row-major order or with the channels last.
#pragma once
#include <torch/library.h>

namespace levin::core {

// For aten::native_batch_norm and aten::native_batch_norm_backward. Other calls go to LibTorch's kernels.
void add_batch_norm(torch::Library& library);

}  // namespace levin::core
