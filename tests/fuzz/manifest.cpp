// A forged manifest of a checkpoint: a valid one is used.
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/checkpoint/lineage.hpp"
#include "core/checkpoint/manifest_check.hpp"
#include "core/config/run_config.hpp"
#include "host/compose/saved_run.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

LEVIN_FUZZ_TARGET(manifest) try {
  const nlohmann::json manifest =
      parse_json(levin::fuzz::text_of(data, size), "manifest", ErrorCode::checkpoint_damaged);
  if (!manifest.is_object()) return;
  saves_of(manifest);  // also called for unchecked files
  check_manifest(manifest, "manifest");
  lineage_of(manifest);
  if (manifest.contains("config")) settings_from_run(run_config_from_json(manifest["config"], "manifest"));
} catch (const Error&) {
}
