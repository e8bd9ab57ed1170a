#include "core/checkpoint/generators.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <mutex>

namespace levin::core {
namespace {

std::map<std::string, at::Generator> generators(at::Device device) {
  std::map<std::string, at::Generator> out = {{"cpu", at::detail::getDefaultCPUGenerator()}};
  if (device.is_cuda()) out.emplace("cuda", at::globalContext().defaultGenerator(device));
  return out;
}

}  // namespace

GeneratorStates generator_states(at::Device device) {
  GeneratorStates out;
  for (auto& [name, generator] : generators(device)) {
    const std::lock_guard<std::mutex> lock(generator.mutex());
    out[name] = at::Tensor(generator.get_state()).clone();
  }
  return out;
}

void set_generator_states(at::Device device, const GeneratorStates& states) {
  for (auto& [name, generator] : generators(device)) {
    const auto state = states.find(name);
    if (state == states.end()) continue;
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_state(state->second);
  }
}

}  // namespace levin::core
