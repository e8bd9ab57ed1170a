#include "core/trainer/assembly/run_settings.hpp"

#include <random>
#include <utility>

#include "core/config/program_file.hpp"

namespace levin::core {

RunSettings::RunSettings(RunConfig given, std::vector<OwnPlugin> own)
    : config(std::move(given)),
      own_plugins(std::move(own)),
      plan(make_run_plan(config.trainer, config.timed)),
      seed(plan.numerics.seed ? *plan.numerics.seed : std::random_device{}()) {}

bool RunSettings::has_own_model() const { return is_of_program(config.model.file); }

nlohmann::json RunSettings::saved_config() const {
  nlohmann::json out = to_json_without_secrets(config);
  out["trainer"]["seed_everything"] = seed;
  return out;
}

}  // namespace levin::core
