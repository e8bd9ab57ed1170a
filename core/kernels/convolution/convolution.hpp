// The backward of convolutions of float tensors in row-major order on the CPU.
#pragma once
#include <torch/library.h>

namespace levin::core {

// For aten::convolution_backward: where oneDNN has no kernels of its own for the numbers of channels, it computes the
// gradients faster with the channels last. Other calls go to LibTorch unchanged.
void add_convolution(torch::Library& library);

}  // namespace levin::core
