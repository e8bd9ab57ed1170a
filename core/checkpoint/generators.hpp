// The states of the random number generators of a run: the CPU's and, if the run computes on a GPU, that GPU's.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace levin::core {

// Returns copies of the states as tensors on the CPU, under the names "cpu" and, for a GPU, "cuda".
std::map<std::string, at::Tensor> generator_states(at::Device device);

// A generator without a state in `states` is left alone: the checkpoint of a run on a CPU has none for a GPU.
void set_generator_states(at::Device device, const std::map<std::string, at::Tensor>& states);

}  // namespace levin::core
