#include "core/checkpoint/generators.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <mutex>

namespace levin::core {
namespace {

Generators generators(at::Device device, const Generators& further) {
  Generators out = {{"cpu", at::detail::getDefaultCPUGenerator()}};
  if (device.is_cuda()) out.emplace("cuda", at::globalContext().defaultGenerator(device));
  out.insert(further.begin(), further.end());
  return out;
}

}  // namespace

GeneratorStates generator_states(at::Device device, const Generators& further) {
  GeneratorStates out;
  for (auto& [name, generator] : generators(device, further)) {
    const std::lock_guard<std::mutex> lock(generator.mutex());
    out[name] = at::Tensor(generator.get_state()).clone();
  }
  return out;
}

void set_generator_states(at::Device device, const GeneratorStates& states, const Generators& further) {
  for (auto& [name, generator] : generators(device, further)) {
    const auto state = states.find(name);
    if (state == states.end()) continue;
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_state(state->second);
  }
}

}  // namespace levin::core
