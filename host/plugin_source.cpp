#include "host/plugin_source.hpp"

#include <set>

namespace levin::core {

FoundComponent PluginSource::find(const std::string& written, uint32_t kind) {
  const auto found = index_.find(written, kind);
  return {found.file->path.string(), found.component};
}

std::vector<FoundComponent> PluginSource::all(uint32_t kind) {
  std::vector<FoundComponent> out;
  std::set<std::string> ids;
  for (const auto& file : index_.files()) {
    if (!file.problem.empty()) continue;
    for (const auto& component : file.schema.components) {
      if (component.kind == kind && ids.insert(component.id).second) out.push_back({file.path.string(), &component});
    }
  }
  return out;
}

}  // namespace levin::core
