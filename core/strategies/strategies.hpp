// The strategies by name, and the devices of a process.
#pragma once
#include <memory>
#include <vector>

#include "core/config/trainer/run_plan.hpp"
#include "core/distributed/processes.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

// The devices of this process, which are several only where its strategy has several in a process. Throws Error{usage}
// if the hardware or its part of LibTorch is missing, and if the launcher started another number of processes than
// trainer.devices and trainer.num_nodes say.
std::vector<at::Device> devices_of(const RunPlan& plan, const World& world);

// devices: of this process. Throws Error{usage} if the strategy does not fit the number of processes.
std::unique_ptr<Strategy> make_strategy(const RunPlan& plan, const std::vector<at::Device>& devices,
                                        Processes& processes);

}  // namespace levin::core
