// The states of a run's random number generators: of the CPU and, if the run computes on a GPU, of that GPU. A strategy
// may have further generators, by name.
#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>

namespace levin::core {

// Tensors on the CPU, by the generator's name: "cpu" and, for a GPU, "cuda".
using GeneratorStates = std::map<std::string, at::Tensor>;
using Generators = std::map<std::string, at::Generator>;

GeneratorStates generator_states(at::Device device, const Generators& further = {});  // copies

// Leaves a generator without a state in `states` unchanged: the checkpoint of a run on a CPU has no state for a GPU.
void set_generator_states(at::Device device, const GeneratorStates& states, const Generators& further = {});

// Restores the generators when it is destroyed, so that code in its scope draws no random numbers from the run.
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
