// The interface through which components are found, and its implementation for plugin files.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/plugin_index.hpp"

namespace levin::core {

struct FoundComponent {
  std::string file;                            // absolute path of the plugin
  const ComponentSchema* component = nullptr;  // valid while the source exists
};

// Returns true if kind and full name are equal. The file is not compared: an updated plugin has the same components.
inline bool same_component(const FoundComponent& a, const FoundComponent& b) {
  return a.component->kind == b.component->kind && a.component->full_name() == b.component->full_name();
}

class ComponentSource {
 public:
  virtual ~ComponentSource() = default;
  // Finds the component that the user wrote as a file, FILE.so:ID, PLUGIN-ID:ID or an id. Throws Error if it is not
  // found, with the places searched and similar names, or if an id is ambiguous between plugins.
  virtual FoundComponent find(const std::string& written, uint32_t kind) = 0;
  // Returns every usable component of the kind: first the components that come with Levin (plugin ids beginning with
  // "levin."), then the others, both in search order. Of components with the same full name only the first is returned.
  virtual std::vector<FoundComponent> all(uint32_t kind) = 0;
};

// Finds components in the files of the plugin index.
class PluginSource : public ComponentSource {
 public:
  explicit PluginSource(PluginIndex& index) : index_(index) {}
  FoundComponent find(const std::string& written, uint32_t kind) override;
  std::vector<FoundComponent> all(uint32_t kind) override;

 private:
  PluginIndex& index_;
};

}  // namespace levin::core
