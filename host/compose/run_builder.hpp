// From settings to a run: everything checked, everything resolved.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/composition.hpp"
#include "host/compose/old_options.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

struct RunRequest {
  Command command = Command::run;
  std::vector<Setting> settings;  // of all sources, in any order; old names allowed in the trainer group
  OldOptions old;
  bool trust = false;
  bool recommendations = true;  // of model and data; a resumed run had them already
  std::vector<std::string> plugin_dirs;
};

struct ShownValue {
  nlohmann::json value;
  std::string origin;  // "default" where nobody said anything
};

struct BuiltRun {
  RunConfig config;
  Composition composition;                   // with what was left out, and why
  std::map<std::string, ShownValue> values;  // by dotted key, before the Trainer's options are spread
  std::vector<std::string> warnings;         // a line each
};

// Throws Error{usage}, or the kind of the plugin's problem. `source` must outlive the result.
BuiltRun build_run(RunRequest request, ComponentSource& source);

// Throws Error{usage} that says what is found where no model is named.
void require_model(const Composition& composition, ComponentSource& source);

}  // namespace levin::core
