// config.json of a run folder, and option files written by users.
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/run_config.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/compose/saved_run.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

LEVIN_FUZZ_TARGET(config_json) try {
  const nlohmann::json value = parse_json_document(levin::fuzz::text_of(data, size), "config.json").value;
  show(value);
  const RunConfig config = run_config_from_json(value, "config.json");
  settings_from_run(config);
  if (run_config_from_json(to_json(config), "again").trainer != config.trainer) std::abort();
  to_json_without_secrets(config);
} catch (const Error&) {
}
