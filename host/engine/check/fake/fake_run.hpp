// A levin_run for a single step outside a fit. It keeps logged values, answers a few queries and refuses other calls.
#pragma once
#include <map>
#include <string>

#include "core/components/model.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {

// Only for plugins loaded with fake_services().
struct FakeRun : levin_run {
  explicit FakeRun(Model& tried) : model(tried) {
    refusal = "there is no fit, only one step of a check";
    device = &cpu;
    module_tree = &modules;
    training_thread = std::this_thread::get_id();
  }
  Model& model;
  DeviceParts cpu{at::kCPU};
  ModuleTreeParts modules{model, at::kCPU, [](const std::string&) {}};
  std::map<std::string, double> logged;
};

// Returns the host's services, with levin.trainer/1, levin.params/1, levin.optim/1 and levin.checkpoint/1 acting on a
// FakeRun.
const ServiceTable& fake_services();

}  // namespace levin::core
