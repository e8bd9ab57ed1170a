// Where components are found; the host looks into plugin files.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct FoundComponent {
  std::string file;                            // absolute path of the plugin
  const ComponentSchema* component = nullptr;  // lives as long as the source
};

// An id has one meaning in a run, from whichever file it comes.
inline bool same_component(const FoundComponent& a, const FoundComponent& b) {
  return a.component->kind == b.component->kind && a.component->id == b.component->id;
}

class ComponentSource {
 public:
  virtual ~ComponentSource() = default;
  // What the user wrote for a component: a file, FILE.so:ID, an id. Throws Error naming what was tried and near names.
  virtual FoundComponent find(const std::string& written, uint32_t kind) = 0;
  // Every usable component of the kind, in the order of search; of several with one id the first.
  virtual std::vector<FoundComponent> all(uint32_t kind) = 0;
};

}  // namespace levin::core
