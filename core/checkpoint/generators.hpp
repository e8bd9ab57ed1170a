// The states of the random number generators of a run: the CPU's and, if the run computes on a GPU, that GPU's. A run
// with replicas of its model has further ones, by name.
#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>

namespace levin::core {

// Tensors on the CPU, under the names "cpu" and, for a GPU, "cuda".
using GeneratorStates = std::map<std::string, at::Tensor>;
using Generators = std::map<std::string, at::Generator>;

GeneratorStates generator_states(at::Device device, const Generators& further = {});  // copies

// A generator without a state in `states` is left alone: the checkpoint of a run on a CPU has none for a GPU.
void set_generator_states(at::Device device, const GeneratorStates& states, const Generators& further = {});

// Puts the generators back when it ends, so that what runs within it draws no random numbers from the run.
class GeneratorScope {
 public:
  explicit GeneratorScope(at::Device device, Generators further = {})
      : device_(device), further_(std::move(further)), before_(generator_states(device, further_)) {}
  ~GeneratorScope() { set_generator_states(device_, before_, further_); }
  GeneratorScope(const GeneratorScope&) = delete;
  GeneratorScope& operator=(const GeneratorScope&) = delete;

 private:
  at::Device device_;
  Generators further_;
  GeneratorStates before_;
};

}  // namespace levin::core
