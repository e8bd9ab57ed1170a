#include "core/trainer/plugin_set.hpp"

#include "core/adapt/failure.hpp"
#include "core/adapt/run_interface.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/sha256.hpp"
#include "core/trainer/arguments.hpp"

namespace levin::core {

const levin_host& PluginSet::host_for(const std::string& plugin) {
  const auto sink = [this](int32_t level, const std::string& line) { console_.log(level, line); };
  // The loader has compared the plugin's LibTorch with ours before it asks for a host.
  hosts_.emplace_back(plugin, services(), sink, /*torch=*/true);
  return *hosts_.back().table();
}

std::string PluginSet::last_failure(const levin_host&) {
  std::string text = std::move(plugin_failure());
  plugin_failure().clear();
  return text;
}

const LoadedPlugin& PluginSet::load(const std::string& file) {
  const auto known = plugins_.find(file);
  if (known != plugins_.end()) return known->second;
  BreadcrumbScope scope(file.c_str(), "load");
  LoadOptions options;
  options.trust = trust_;
  LoadedPlugin plugin = load_plugin(file, *this, options);
  for (const std::string& warning : plugin.warnings) console_.warn(warning);
  return plugins_.emplace(file, std::move(plugin)).first->second;
}

Created PluginSet::create(const ComponentConfig& config, uint32_t kind, uint32_t stage, const levin_data_info* data) {
  const LoadedPlugin& plugin = load(config.file);
  const levin_component* component = plugin.component(kind, config.component);
  const ComponentSchema* schema = nullptr;
  for (const ComponentSchema& c : plugin.schema.components)
    if (c.kind == kind && c.id == config.component) schema = &c;
  if (!component || !schema)
    throw Error(ErrorKind::plugin, config.file + " has no " + kind_name(kind) + " '" + config.component + "'");
  Created created{{config.name, plugin.path.filename().string(), schema}, nullptr, nullptr};
  const Arguments arguments(schema->options, config.options);
  levin_create in{};
  in.size = sizeof in;
  in.stage = stage;
  in.args = arguments.raw();
  in.data = data;
  in.name = config.name.c_str();
  const Component caller(ComponentOrigin{config.name, created.origin.plugin, schema, false}, nullptr, nullptr);
  caller.invoke("create", [&] { return component->create(plugin.host, &in, &created.self, &created.table); });
  if (!created.self || !created.table)
    throw Error(ErrorKind::plugin,
                created.origin.plugin + ": create of '" + config.component + "' handed over nothing");
  if (created.table->size < sizeof(levin_object))
    throw Error(ErrorKind::plugin, created.origin.plugin + ": the table of '" + config.component + "' says it has " +
                                       std::to_string(created.table->size) + " bytes, fewer than its head");
  return created;
}

nlohmann::json PluginSet::provenance() const {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& [file, plugin] : plugins_)
    out.push_back({{"file", file},
                   {"id", plugin.schema.id},
                   {"version", plugin.schema.version},
                   {"torch", plugin.schema.torch},
                   {"build_id", plugin.build_id},
                   {"sha256", sha256_file(file)}});
  return out;
}

}  // namespace levin::core
