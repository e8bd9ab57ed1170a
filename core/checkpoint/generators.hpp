// The states of the random number generators of a run: the CPU's and, if the run computes on a GPU, that GPU's.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace levin::core {

// Tensors on the CPU, under the names "cpu" and, for a GPU, "cuda".
using GeneratorStates = std::map<std::string, at::Tensor>;

GeneratorStates generator_states(at::Device device);  // copies

// A generator without a state in `states` is left alone: the checkpoint of a run on a CPU has none for a GPU.
void set_generator_states(at::Device device, const GeneratorStates& states);

// Puts the generators back when it ends, so that what runs within it draws no random numbers from the run.
class GeneratorScope {
 public:
  explicit GeneratorScope(at::Device device) : device_(device), before_(generator_states(device)) {}
  ~GeneratorScope() { set_generator_states(device_, before_); }
  GeneratorScope(const GeneratorScope&) = delete;
  GeneratorScope& operator=(const GeneratorScope&) = delete;

 private:
  at::Device device_;
  GeneratorStates before_;
};

}  // namespace levin::core
