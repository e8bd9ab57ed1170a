// Whether numbers are finite: neither NaN nor infinite.
#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

// Whether the parameters of the optimizer are on another device than the CPU, which is asked as seldom as possible.
bool is_on_device(const Optimizer& optimizer);

// Whether all elements are finite. True for integers and for an undefined tensor. Waits for the tensor's device.
bool is_finite(const at::Tensor& tensor);

// The parameters of the optimizer whose gradients are not finite, by name. Waits for their device.
std::vector<std::string> non_finite_gradients(const Optimizer& optimizer);
bool gradients_are_finite(const Optimizer& optimizer);

// The name of the first parameter that requires grad and is not finite, or "".
std::string first_non_finite(const std::vector<NamedTensor>& parameters);

// The name of the first buffer that is NaN, or "". Infinity is a good value of a buffer, such as that of a mask.
std::string first_nan(const std::vector<NamedTensor>& buffers);

}  // namespace levin::core
