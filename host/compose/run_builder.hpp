// Builds a run from settings: checks and resolves all of them.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_options.hpp"
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
  bool allow_plugin_changes = false;  // drop components and options of a saved run that its plugins no longer have
  bool recommendations = true;        // apply those of model and data module; a saved run already includes them
  std::vector<std::string> plugin_dirs;
  std::vector<ComparedRun> saved;  // saved runs whose settings are among `settings`
};

struct BuiltRun {
  RunConfig config;
  Composition composition;                       // includes the components that are off, with the reason
  std::map<std::string, ResolvedOption> values;  // by dotted key, before resolve_trainer()
  std::vector<std::string> warnings;             // one line each
};

// Throws Error{usage}, or an Error of the kind of a plugin's problem. `source` must outlive the result.
BuiltRun build_run(RunRequest request, ComponentSource& source);

// Returns true if the Trainer or a component of the source has the option.
bool serves_trainer_option(const std::string& option, ComponentSource& source);

// Throws Error{usage} if no model is named. The message lists the models found and ends with the remark.
void require_model(const Composition& composition, ComponentSource& source, const std::string& remark = "");

}  // namespace levin::core
