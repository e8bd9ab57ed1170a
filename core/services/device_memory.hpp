// The memory of a device, and how much of it is in use.
#pragma once
#include <c10/core/Device.h>

#include <cstdint>
#include <optional>

namespace levin::core {

struct DeviceMemory {  // bytes
  uint64_t used, total;
};

// Returns the memory of the device, or nullopt if unknown. `used` counts all programs on the device. For the CPU it is
// the memory of the machine.
std::optional<DeviceMemory> device_memory(c10::Device device);

}  // namespace levin::core
