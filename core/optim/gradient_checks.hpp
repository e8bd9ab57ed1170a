// What is looked up in gradients and weights on request: norms, and values that are not finite.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "core/components/model.hpp"

namespace levin::core {

// The p-norm of each parameter's gradient, "grad_2.0_norm/weight", and of all these norms, "grad_2.0_norm_total";
// parameters without a gradient are left out. The tensors stay on their devices. p: above 0, or infinity.
std::vector<NamedTensor> grad_norms(const std::vector<NamedTensor>& parameters, double p);

// Throws Error{run} that names the loss or the first parameter with a NaN or an infinity, and where the run is. Waits
// for the device.
void check_finite(const at::Tensor& loss, const std::vector<NamedTensor>& parameters, const std::string& where);

}  // namespace levin::core
