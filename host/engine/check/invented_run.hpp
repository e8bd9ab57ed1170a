// A levin_run for one step outside a fit: it takes what is logged, knows a few numbers, and refuses the rest.
#pragma once
#include <map>
#include <string>

#include "core/components/model.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {

// Belongs to plugins that were loaded with invented_services().
struct InventedRun : levin_run {
  explicit InventedRun(Model& tried) : model(tried) {
    refusal = "there is no fit, only one step of a check";
    device = &cpu;
    module_tree = &modules;
  }
  Model& model;
  DeviceParts cpu{at::kCPU};
  ModuleTreeParts modules{model, at::kCPU, [](const std::string&) {}};
  std::map<std::string, double> logged;
};

// The host's services, but those of the trainer, the model's parameters and the optimizers are an InventedRun's.
const ServiceTable& invented_services();

}  // namespace levin::core
