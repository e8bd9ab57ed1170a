// The interface through which components are found.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct FoundComponent {
  std::string file;                            // absolute path of the plugin
  const ComponentSchema* component = nullptr;  // lives as long as the source
};

// Compares kind and full name, not the file: an update of a plugin has the same components.
inline bool same_component(const FoundComponent& a, const FoundComponent& b) {
  return a.component->kind == b.component->kind && a.component->full_name() == b.component->full_name();
}

class ComponentSource {
 public:
  virtual ~ComponentSource() = default;
  // written: how the user named the component: a file, FILE.so:ID, PLUGIN-ID:ID or an id. Throws Error that says what
  // was tried and which names are similar, and for an id that components of several plugins have.
  virtual FoundComponent find(const std::string& written, uint32_t kind) = 0;
  // Every usable component of the kind: those that come with Levin (their plugins' ids begin with "levin."), then the
  // others, both in search order. Of several components with the same full name only the first.
  virtual std::vector<FoundComponent> all(uint32_t kind) = 0;
};

}  // namespace levin::core
