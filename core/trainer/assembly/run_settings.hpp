// The resolved configuration of a run, with its plan and its seed.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "core/components/own_plugin.hpp"
#include "core/config/run_config.hpp"
#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

struct RunSettings {
  // Draws a random seed if none is given. Throws Error{usage} for invalid options.
  explicit RunSettings(RunConfig given, std::vector<OwnPlugin> own = {});
  // Returns the configuration for the run folder and the checkpoints: without secrets, and with the seed that is used.
  nlohmann::json saved_config() const;

  // Returns true if the model is an object of the program, whose weights may be trained already.
  bool has_own_model() const;

  RunConfig config;
  std::vector<OwnPlugin> own_plugins;
  RunPlan plan;
  uint64_t seed;
};

}  // namespace levin::core
