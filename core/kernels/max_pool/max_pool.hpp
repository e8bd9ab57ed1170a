// Max pooling of float tensors on the CPU, in row-major order or with the channels last.
#pragma once
#include <torch/library.h>

namespace levin::core {

// For aten::max_pool2d_with_indices, bit for bit as LibTorch's kernel. Other calls go to that one.
void add_max_pool(torch::Library& library);

}  // namespace levin::core
