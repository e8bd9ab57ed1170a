// One process and one device.
#pragma once
#include "core/config/trainer/run_plan.hpp"
#include "core/distributed/processes.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

class SingleDeviceStrategy : public Strategy {
 public:
  // group: a group of one process.
  SingleDeviceStrategy(at::Device device, ProcessGroup& group) : device_(device), group_(group) {}
  SingleDeviceStrategy(const RunPlan&, at::Device device, Processes& processes)
      : SingleDeviceStrategy(device, processes.group()) {}
  const char* name() const override { return "single_device"; }
  at::Device device() const override { return device_; }
  ProcessGroup& processes() const override { return group_; }

 private:
  at::Device device_;
  ProcessGroup& group_;
};

}  // namespace levin::core
