#include "host/engine/check/fake/fake_parts.hpp"

#include "core/base/file.hpp"
#include "host/engine/check/common/common_rules.hpp"

namespace levin::core {

ComponentConfig fake_part(PluginSet& plugins, uint32_t kind, const std::string& id, nlohmann::json options) {
  ComponentConfig part{id, (exe_path().parent_path() / "libcheck_parts.so").string(), id, {}};
  part.options = default_options(plugins.schema(part, kind));
  part.options.update(options);
  return part;
}

std::unique_ptr<Model> fake_model(PluginSet& plugins) {
  const Created made =
      plugins.create(fake_part(plugins, LEVIN_KIND_MODEL, "any_batch"), LEVIN_KIND_MODEL, LEVIN_STAGE_FIT);
  return std::make_unique<Model>(made.origin, made.table, made.self);
}

}  // namespace levin::core
