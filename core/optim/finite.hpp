// Checks that numbers are finite: neither NaN nor infinite.
#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// Returns true if the optimizer's parameters are on a device other than the CPU, which should be synchronized as rarely
// as possible.
bool is_on_device(const Optimizer& optimizer);

// Returns true if all elements are finite. True for integers and for an undefined tensor. Synchronizes the tensor's
// device.
bool is_finite(const at::Tensor& tensor);

// Returns the names of the optimizer's parameters whose gradients are not finite. Synchronizes their device.
std::vector<std::string> non_finite_gradients(const Optimizer& optimizer);
bool gradients_are_finite(const Optimizer& optimizer);

// Returns the name of the first parameter that requires grad and is not finite, or "".
std::string first_non_finite(const std::vector<NamedTensor>& parameters);

// Returns the name of the first buffer that contains NaN, or "". Infinity is valid in a buffer, such as a mask.
std::string first_nan(const std::vector<NamedTensor>& buffers);

// Throws Error{non_finite} that names the loss or the first parameter with a NaN or an infinity, and `where`, the
// position in the run. Synchronizes the device.
void check_finite(const at::Tensor& loss, const std::vector<NamedTensor>& parameters, const std::string& where);

}  // namespace levin::core
