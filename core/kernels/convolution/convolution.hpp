// Convolutions of images of floats on the CPU.
#pragma once
#include <torch/library.h>

namespace levin::core {

// For aten::convolution and aten::convolution_backward: 3x3 with stride 1 by Winograd's algorithm (winograd.hpp). Where
// oneDNN has no kernels of its own for the numbers of channels of row-major images, it computes the gradients of other
// convolutions faster with the channels last. Other calls go to LibTorch unchanged.
void add_convolution(torch::Library& library);

}  // namespace levin::core
