// Which devices trainer.accelerator and trainer.devices mean: Lightning's rules as pure functions.
#pragma once
#include <vector>

#include "core/config/choices.hpp"

namespace levin::core {

// The GPUs that are asked for among those that are there. Empty: none is asked for. Throws Error{usage} for an
// automatic choice, a GPU named twice, and one that is not there.
std::vector<int> gpu_ids(const DeviceChoice& devices, const std::vector<int>& available);

// The devices of a run; an automatic choice is the first one. Of a CPU `devices` is a number of processes. Throws
// Error{usage}.
std::vector<int> device_ids(Accelerator accelerator, const DeviceChoice& devices,
                            const std::vector<int>& available_gpus);

}  // namespace levin::core
