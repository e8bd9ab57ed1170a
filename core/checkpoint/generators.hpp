// The generators of random numbers that a run draws from: the CPU's and, where it computes on a GPU, that GPU's.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace levin::core {

// "cpu", and "cuda" where the device is one; tensors on the CPU. Copies.
std::map<std::string, at::Tensor> generator_states(at::Device device);

// A generator without a state here goes on as it is: the state of a run on a CPU has none for a GPU.
void set_generator_states(at::Device device, const std::map<std::string, at::Tensor>& states);

}  // namespace levin::core
