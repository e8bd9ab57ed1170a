#include "host/compose/component_source.hpp"

#include <algorithm>
#include <set>

#include "core/base/text.hpp"

namespace levin::core {

FoundComponent PluginSource::find(const std::string& written, uint32_t kind) {
  const auto found = index_.find(written, kind);
  return {found.file->path.string(), found.component};
}

std::vector<FoundComponent> PluginSource::all(uint32_t kind) {
  std::vector<FoundComponent> out;
  std::set<std::string> names;
  for (const auto& file : index_.files()) {
    if (!file.problem.empty()) continue;
    for (const auto& component : file.schema.components) {
      if (component.kind == kind && names.insert(component.full_name()).second)
        out.push_back({file.path.string(), &component});
    }
  }
  // Plugins that come with Levin are first, so that they serve Trainer options by default whatever other plugins are
  // found.
  std::stable_partition(out.begin(), out.end(),
                        [](const FoundComponent& found) { return starts_with(found.component->plugin, "levin."); });
  return out;
}

}  // namespace levin::core
