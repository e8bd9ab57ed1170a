// LSTMs of float tensors on the CPU, with their autograd.
#pragma once
#include <torch/library.h>

namespace levin::core {

// For aten::lstm.input, for the keys CPU and AutogradCPU: LibTorch has no kernel for it, only a composition of others.
void add_lstm(torch::Library& library);

}  // namespace levin::core
