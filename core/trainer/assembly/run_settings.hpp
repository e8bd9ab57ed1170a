// What a run was asked to do, resolved: its configuration, its plan and its seed.
#pragma once
#include <nlohmann/json.hpp>

#include "core/config/run_config.hpp"
#include "core/config/run_plan.hpp"

namespace levin::core {

struct RunSettings {
  // Draws a seed where none was given. Throws Error{usage}.
  explicit RunSettings(RunConfig given);
  // What the run's folder and its checkpoints keep: the configuration without secrets, with the seed.
  nlohmann::json saved_config() const;

  RunConfig config;
  RunPlan plan;
  uint64_t seed;
};

}  // namespace levin::core
