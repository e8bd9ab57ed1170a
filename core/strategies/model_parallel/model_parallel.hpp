// Model parallel: the model places its parts on the devices of its process. Several processes are data parallel.
#pragma once
#include <utility>
#include <vector>

#include "core/strategies/ddp/ddp.hpp"

namespace levin::core {

class ModelParallelStrategy : public DdpStrategy {
 public:
  // devices: of this process; plugins read them through levin.devices/1. Batches go to the first one.
  ModelParallelStrategy(const RunPlan& plan, std::vector<at::Device> devices, Processes& processes)
      : DdpStrategy(plan, devices.front(), processes), devices_(std::move(devices)) {}
  const char* name() const override { return "model_parallel"; }
  std::vector<at::Device> devices() const override { return devices_; }
  // Keeps parameters on the devices chosen by the model.
  void place(Model& model, at::ScalarType dtype) override {
    model.visit();
    model.cast(dtype);
  }

 private:
  std::vector<at::Device> devices_;
};

}  // namespace levin::core
