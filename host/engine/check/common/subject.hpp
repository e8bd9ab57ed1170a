// A component under test, with a function that creates instances of it.
#pragma once
#include <memory>
#include <string>

#include "core/components/plugin_set.hpp"

namespace levin::core {

class CallRecorder;

struct Subject {
  PluginSet& plugins;
  std::string file;
  const ComponentSchema& schema;
  nlohmann::json defaults;                // a value for every option: given by the user, or from default_options()
  const levin_data_info* data = nullptr;  // for models
  std::string torch;                      // LibTorch version of the plugin, as in PluginSchema
  bool trust = false;
  std::string scratch;                  // folder for the output of runs
  const CallRecorder* calls = nullptr;  // of this process
  nlohmann::json given{};               // the user's options of every component, by "KIND.ID"

  Created create(const nlohmann::json& options) const {
    return plugins.create({schema.id, file, schema.id, options}, schema.kind, LEVIN_STAGE_FIT, data);
  }
  Created create() const { return create(defaults); }
};

// Creates a Component of this kind, which owns the instance.
template <class Kind = Component>
std::unique_ptr<Kind> make_component(const Created& created) {
  return std::make_unique<Kind>(created.origin, created.table, created.self);
}

}  // namespace levin::core
