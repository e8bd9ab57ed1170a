#include "core/trainer/assembly/run_settings.hpp"

#include <random>
#include <utility>

namespace levin::core {

RunSettings::RunSettings(RunConfig given)
    : config(std::move(given)),
      plan(make_run_plan(config.trainer, config.timed)),
      seed(plan.numerics.seed ? *plan.numerics.seed : std::random_device{}()) {}

nlohmann::json RunSettings::saved_config() const {
  nlohmann::json out = to_json_without_secrets(config);
  out["trainer"]["seed_everything"] = seed;
  return out;
}

}  // namespace levin::core
