// Components from the plugin files that can be found.
#pragma once
#include "core/config/component_source.hpp"
#include "core/plugin/index/plugin_index.hpp"

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
