// Selects the devices for trainer.accelerator and trainer.devices: Lightning's rules as pure functions.
#pragma once
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

// Returns the requested GPUs; empty if none is requested. Throws Error{usage} for an automatic choice, for a GPU that
// is named twice, and for a GPU that does not exist.
std::vector<int> gpu_ids(const DeviceChoice& devices, const std::vector<int>& available);

// Returns the devices of a run. The automatic choice is the first device. For the CPU, `devices` is the number of
// processes. Throws Error{usage} if the choice is invalid.
std::vector<int> device_ids(Accelerator accelerator, const DeviceChoice& devices,
                            const std::vector<int>& available_gpus);

}  // namespace levin::core
