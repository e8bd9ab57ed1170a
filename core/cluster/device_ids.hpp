// Which devices trainer.accelerator and trainer.devices mean: Lightning's rules as pure functions.
#pragma once
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

// The available GPUs that are requested; empty if none is requested. Throws Error{usage} for an automatic choice, for a
// GPU that is named twice, and for one that does not exist.
std::vector<int> gpu_ids(const DeviceChoice& devices, const std::vector<int>& available);

// The devices of a run. An automatic choice is the first one. For a CPU, `devices` is a number of processes. Throws
// Error{usage}.
std::vector<int> device_ids(Accelerator accelerator, const DeviceChoice& devices,
                            const std::vector<int>& available_gpus);

}  // namespace levin::core
