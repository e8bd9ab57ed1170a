// The components of check_parts, a plugin next to the engine, and a levin_run for a single step outside a fit.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "core/components/model.hpp"
#include "core/config/run_config.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// Returns a component of check_parts. id: "any_batch", "any_rows" or "saver". options: values that differ from the
// defaults.
ComponentConfig fake_part(PluginSet& plugins, uint32_t kind, const std::string& id,
                          nlohmann::json options = nlohmann::json::object());
std::unique_ptr<Model> fake_model(PluginSet& plugins);

// Keeps logged values, answers a few queries and refuses other calls. Only for plugins loaded with fake_services().
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
