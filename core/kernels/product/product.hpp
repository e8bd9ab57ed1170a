// Products of small float matrices on the CPU.
#pragma once
#include <torch/library.h>

namespace levin::core {

// For aten::mm, aten::addmm and aten::bmm of a LibTorch that uses OpenBLAS.
void add_product(torch::Library& library);

}  // namespace levin::core
