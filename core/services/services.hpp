// The services that the host provides to plugins, as the tables of the ABI. Each call of a service is one function in
// the source file of its table. It acts on the service's parts in levin_run (run.hpp).
#pragma once
#include <c10/core/Device.h>

#include <optional>
#include <string>

#include "core/abi/plugin_host.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

struct TrainerParts;

const levin_trainer* trainer_service();
const levin_params* params_service();
const levin_optim* optim_service();
const levin_checkpoint* checkpoint_service();
const levin_trial* trial_service();
const levin_devices* devices_service();
const levin_run_data* run_data_service();
const levin_dist* dist_service();
const levin_module_tree* module_tree_service();
const levin_ops* ops_service();
const levin_networks* networks_service();

// Returns false if there is no such number of levin.trainer/1. Throws Error{usage} if its value is unknown, such as the
// number of steps of a fit on data of unknown length.
bool trainer_number(const TrainerParts& parts, const std::string& name, double& out);
// Returns the status for an unknown name and sets the error message. kind: "number" or "text".
levin_status no_such(const char* kind, const char* name);

struct DeviceMemory {  // bytes
  uint64_t used, total;
};
// Returns nullopt if unknown. `used` counts all programs on the device. For the CPU it is the memory of the machine.
std::optional<DeviceMemory> device_memory(c10::Device device);

// Returns every service of this host, by id.
const ServiceTable& services();

}  // namespace levin::core
