#include "core/services/device_memory.hpp"

#include <c10/core/DeviceGuard.h>
#include <dlfcn.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace levin::core {
namespace {

// Reads lines such as "MemTotal:       16303428 kB". Memory that is available without swapping counts as free.
std::optional<DeviceMemory> machine_memory() {
  std::ifstream file("/proc/meminfo");
  uint64_t total = 0, available = 0, kilobytes = 0;
  std::string name;
  for (std::string line; file >> name >> kilobytes && std::getline(file, line);) {
    if (name == "MemTotal:") total = kilobytes * 1024;
    if (name == "MemAvailable:") available = kilobytes * 1024;
  }
  if (available == 0 || available > total) return std::nullopt;
  return DeviceMemory{total - available, total};
}

// Uses the globally loaded CUDA runtime, because LibTorch's own function is in a library that is not linked.
std::optional<DeviceMemory> cuda_memory(c10::Device device) {
  using MemGetInfo = int (*)(size_t * free, size_t * total);
  const auto ask = reinterpret_cast<MemGetInfo>(dlsym(RTLD_DEFAULT, "cudaMemGetInfo"));
  if (!ask) return std::nullopt;
  const c10::DeviceGuard guard(device);
  size_t free = 0, total = 0;
  if (ask(&free, &total) != 0) return std::nullopt;
  return DeviceMemory{total - free, total};
}

}  // namespace

std::optional<DeviceMemory> device_memory(c10::Device device) {
  if (device.is_cpu()) return machine_memory();
  if (device.is_cuda()) return cuda_memory(device);
  return std::nullopt;
}

}  // namespace levin::core
