// Builds a run from settings: checks and resolves all of them.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/composition.hpp"
#include "host/compose/lightning_aliases.hpp"
#include "host/compose/plugin_changes.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

struct RunRequest {
  Command command = Command::run;
  std::vector<Setting> settings;  // of all sources, in any order; old names are allowed in the trainer group
  LightningAliases old;
  bool trust = false;
  bool allow_plugin_changes = false;  // go on without what plugins no longer have of a saved run
  bool recommendations = true;        // apply those of model and data; the settings of a saved run contain them already
  std::vector<std::string> plugin_dirs;
  std::vector<SavedRun> saved;  // whose settings are among `settings`
};

struct ShownValue {
  nlohmann::json value;
  std::string origin;  // "default" if no setting gave the value
};

struct BuiltRun {
  RunConfig config;
  Composition composition;                   // also has the components that are off, and why
  std::map<std::string, ShownValue> values;  // by dotted key, as they were before resolve_trainer()
  std::vector<std::string> warnings;         // one line for each
};

// Throws Error{usage}, or an error of the kind that a problem with a plugin has. `source` must outlive the result.
BuiltRun build_run(RunRequest request, ComponentSource& source);

// Throws Error{usage} if no model is named. The message lists the models that are found and ends with the remark.
void require_model(const Composition& composition, ComponentSource& source, const std::string& remark = "");

}  // namespace levin::core
