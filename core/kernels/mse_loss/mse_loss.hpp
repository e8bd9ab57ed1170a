// Mean squared errors of few numbers.
#pragma once
#include <torch/library.h>

namespace levin::core {

void add_mse_loss(torch::Library& library);

}  // namespace levin::core
