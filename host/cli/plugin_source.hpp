// Finds components in the plugin files of the plugin index.
#pragma once
#include "core/plugin/plugin_index.hpp"
#include "host/compose/component_source.hpp"

namespace levin::core {

class PluginSource : public ComponentSource {
 public:
  explicit PluginSource(PluginIndex& index) : index_(index) {}
  FoundComponent find(const std::string& written, uint32_t kind) override;
  std::vector<FoundComponent> all(uint32_t kind) override;

 private:
  PluginIndex& index_;
};

}  // namespace levin::core
