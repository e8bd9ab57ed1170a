// The services that plugins get from the host, as the tables of the ABI. A call of a service is one function in its
// table's source, on the parts that levin_run (run.hpp) has for it.
#pragma once
#include "core/abi/plugin_host.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

const levin_trainer* trainer_service();
const levin_params* params_service();
const levin_optim* optim_service();
const levin_checkpoint* checkpoint_service();
const levin_trial* trial_service();
const levin_devices* device_service();
const levin_run_data* data_service();
const levin_dist* dist_service();
const levin_module_tree* module_tree_service();
const levin_ops* ops_service();

// Every service of this host, by id.
const ServiceTable& services();

}  // namespace levin::core
