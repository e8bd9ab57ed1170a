// How much memory a device has, and how much of it is in use.
#pragma once
#include <c10/core/Device.h>

#include <cstdint>
#include <optional>

namespace levin::core {

struct DeviceMemory {  // bytes
  uint64_t used, total;
};

// Of the whole device, whatever program uses it; of the CPU: the machine's memory. nullopt: not known.
std::optional<DeviceMemory> device_memory(c10::Device device);

}  // namespace levin::core
