// Selects the strategy of a run and the devices of a process.
#pragma once
#include <memory>
#include <vector>

#include "core/config/trainer/run_plan.hpp"
#include "core/distributed/processes.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

// Returns the devices of this process: several only if the strategy uses several per process. Throws Error{usage} if
// the hardware or its LibTorch libraries are missing, or if the launcher started a number of processes other than
// trainer.devices and trainer.num_nodes say.
std::vector<at::Device> devices_of(const RunPlan& plan, const World& world);

// Returns the strategy. devices: of this process. Throws Error{usage} if the strategy does not fit the number of
// processes.
std::unique_ptr<Strategy> make_strategy(const RunPlan& plan, const std::vector<at::Device>& devices,
                                        Processes& processes);

}  // namespace levin::core
