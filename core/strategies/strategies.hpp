// The strategies by name, and the device of a process.
#pragma once
#include <memory>

#include "core/config/run_plan.hpp"
#include "core/distributed/processes.hpp"
#include "core/strategies/strategy.hpp"

namespace levin::core {

// The device on which this process computes. Throws Error{usage} if the hardware or its part of LibTorch is missing,
// and if the launcher started another number of processes than trainer.devices and trainer.num_nodes say.
at::Device device_of(const RunPlan& plan, const World& world);

// Throws Error{usage} if the strategy does not fit the number of processes.
std::unique_ptr<Strategy> make_strategy(const RunPlan& plan, at::Device device, Processes& processes);

}  // namespace levin::core
