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

// Compares kind and id, not the file, because an id stands for only one component in a run.
inline bool same_component(const FoundComponent& a, const FoundComponent& b) {
  return a.component->kind == b.component->kind && a.component->id == b.component->id;
}

class ComponentSource {
 public:
  virtual ~ComponentSource() = default;
  // written: how the user named the component: a file, FILE.so:ID or an id. Throws Error that says what was tried and
  // which names are similar.
  virtual FoundComponent find(const std::string& written, uint32_t kind) = 0;
  // Every usable component of the kind, in search order. Of several components with the same id only the first.
  virtual std::vector<FoundComponent> all(uint32_t kind) = 0;
};

}  // namespace levin::core
