// Norms of gradients, and a check for weights that are not finite.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "core/components/model.hpp"

namespace levin::core {

// Returns the p-norm of each parameter's gradient, as "grad_2.0_norm/weight", and the p-norm of these norms, as
// "grad_2.0_norm_total". Skips parameters without a gradient. The results stay on their devices. `p` must be above 0
// and may be infinity.
std::vector<NamedTensor> grad_norms(const std::vector<NamedTensor>& parameters, double p);

// Throws Error{non_finite} that names the loss or the first parameter with a NaN or an infinity, and `where`, the
// position in the run. Synchronizes the device.
void check_finite(const at::Tensor& loss, const std::vector<NamedTensor>& parameters, const std::string& where);

}  // namespace levin::core
