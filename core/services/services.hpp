// The services that the host provides to plugins, as the tables of the ABI. Each call of a service is one function in
// the source file of its table. It acts on the service's parts in levin_run (run.hpp).
#pragma once
#include "core/abi/plugin_host.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

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

// Returns every service of this host, by id.
const ServiceTable& services();

}  // namespace levin::core
