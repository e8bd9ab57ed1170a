// The resolved configuration of a run, with its plan and its seed.
#pragma once
#include <nlohmann/json.hpp>

#include "core/config/run_config.hpp"
#include "core/config/trainer/run_plan.hpp"

namespace levin::core {

struct RunSettings {
  // Draws a random seed if none is given. Throws Error{usage} for invalid options.
  explicit RunSettings(RunConfig given);
  // Returns the configuration for the run folder and the checkpoints: without secrets, and with the seed that is used.
  nlohmann::json saved_config() const;

  RunConfig config;
  RunPlan plan;
  uint64_t seed;
};

}  // namespace levin::core
