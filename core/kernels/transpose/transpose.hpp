// The transposed view of a matrix.
#pragma once
#include <torch/library.h>

namespace levin::core {

void add_transpose(torch::Library& library);

}  // namespace levin::core
