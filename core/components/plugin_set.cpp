#include "core/components/plugin_set.hpp"

#include <algorithm>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/components/arguments.hpp"
#include "core/components/local_copies.hpp"
#include "core/config/option.hpp"
#include "core/config/program_file.hpp"

namespace levin::core {
namespace {

// Describes the component for the terminal: "callback best: keeper 1.0, /plugins/libkeeper.so".
std::string component_line(const ComponentConfig& config, const ComponentSchema& schema) {
  const std::string name = config.name == schema.id ? "" : config.name + ": ";
  const std::string version = schema.version.empty() ? "" : " " + schema.version;
  return std::string(kind_name(schema.kind)) + " " + name + schema.id + version + ", " + config.file;
}

constexpr int64_t large = 10000;  // smaller numbers are not listed

int64_t numbers_in(const levin_field& field) {
  double n = 1;
  for (int32_t d = 0; d < field.ndim; ++d) n *= static_cast<double>(std::max<int64_t>(field.shape[d], 1));
  return static_cast<int64_t>(std::min(n, 9e18));
}

// Lists large options and fields: "; what is large here: --model.hidden 1000000, field 'x' of the data with 10000000
// numbers a row". Returns "" if none is large.
std::string asked_for_memory(const ComponentSchema& schema, const nlohmann::json& options,
                             const levin_data_info* data) {
  std::vector<std::string> causes;
  for (const OptionSchema& option : schema.options) {
    const auto value = options.find(option.name);
    const bool shown = value != options.end() && (option.flags & LEVIN_OPT_SECRET) == 0;
    if (shown && value->is_number_integer() && value->get<int64_t>() > large)
      causes.push_back(std::string("--") + kind_name(schema.kind) + "." + option.name + " " + value->dump());
  }
  for (uint32_t f = 0; data && f < data->n_fields; ++f) {
    const levin_field& field = *LEVIN_AT(levin_field, data->fields, data->field_size, f);
    if (const int64_t n = numbers_in(field); n > large)
      causes.push_back("field '" + std::string(field.name ? field.name : "") + "' of the data with " +
                       std::to_string(n) + " numbers a row");
  }
  return causes.empty() ? "" : "; what is large here: " + join_some(causes, 4);
}

}  // namespace

const levin_host& PluginSet::host_for(const std::string& plugin) {
  const auto sink = [this](int32_t level, const std::string& line) { console_.log(level, line); };
  // The loader calls this only after it has checked that the plugin uses the same LibTorch.
  hosts_.emplace_back(plugin, services_, sink, /*torch=*/true);
  return *hosts_.back().table();
}

std::string PluginSet::last_failure(const levin_host&) {
  std::string text = std::move(plugin_failure());
  plugin_failure().clear();
  return text;
}

void PluginSet::adopt(const OwnPlugin& own) {
  ServiceTable& table = own_services_.emplace_back(services_);
  table[own.service] = own.objects;
  const std::string name = std::filesystem::path(program_of(own.file)).filename().string();
  hosts_.emplace_back(
      name, table, [this](int32_t level, const std::string& line) { console_.log(level, line); }, true);
  LoadedPlugin plugin{name, "", own.table, hosts_.back().table(), describe(*own.table), {}};
  plugins_.emplace(own.file, std::move(plugin));
}

const LoadedPlugin& PluginSet::load(const std::string& file) {
  const auto known = plugins_.find(file);
  if (known != plugins_.end()) return known->second;
  BreadcrumbScope scope(file.c_str(), "load");
  LoadOptions options;
  options.trust = trust_;
  LoadedPlugin plugin = load_plugin(file, *this, options);
  for (const std::string& warning : plugin.warnings) console_.warn(warning);
  if (BorderWatch* watch = border_watch())
    if (plugin.schema.torch == "none") watch->portable(plugin.path.filename().string());
  return plugins_.emplace(file, std::move(plugin)).first->second;
}

PluginSet::Found PluginSet::find(const ComponentConfig& config, uint32_t kind) {
  const LoadedPlugin& plugin = load(config.file);
  if (!config.sha256.empty()) hashes_.emplace(config.file, config.sha256);
  const levin_component* component = plugin.component(kind, config.component);
  const ComponentSchema* schema = nullptr;
  for (const ComponentSchema& c : plugin.schema.components)
    if (c.kind == kind && c.id == config.component) schema = &c;
  if (!component || !schema)
    throw Error(ErrorCode::component_not_in_plugin,
                config.file + " has no " + kind_name(kind) + " '" + config.component + "'");
  return {&plugin, component, schema};
}

void PluginSet::prepare_data(const ComponentConfig& model) {
  const Found found = find(model, LEVIN_KIND_MODEL);
  if (!LEVIN_HAS(levin_component, found.component, prepare_data)) return;
  const Arguments arguments(found.schema->options, model.options);
  const std::string file = found.plugin->path.filename().string();
  const Component caller(ComponentOrigin{model.name, file, found.schema, false}, nullptr, nullptr);
  caller.invoke("prepare_data", [&] { return found.component->prepare_data(found.plugin->host, arguments.raw()); });
}

std::vector<ComponentConfig> PluginSet::model_callbacks(const ComponentConfig& model) {
  struct Taken {
    PluginSet& plugins;
    const ComponentConfig& model;
    std::vector<ComponentConfig> list;
    void add(const std::string& component, const char* name, const char* options_json) {
      ComponentConfig config{name ? name : component, model.file, component, nlohmann::json::object()};
      const std::string where = "configure_callbacks of '" + model.component + "': callback '" + component + "'";
      const nlohmann::json given = options_json ? parse_json(options_json, where) : nlohmann::json::object();
      config.options = resolve_options(plugins.schema(config, LEVIN_KIND_CALLBACK).options, given, where);
      list.push_back(std::move(config));
    }
  };
  const Found found = find(model, LEVIN_KIND_MODEL);
  if (!LEVIN_HAS(levin_component, found.component, configure_callbacks)) return {};
  Taken taken{*this, model, {}};
  levin_callback_list list{};
  list.size = sizeof list;
  list.ctx = &taken;
  list.add = [](const levin_callback_list* l, const char* component, const char* name, const char* options_json) {
    return serve([&] { static_cast<Taken*>(l->ctx)->add(component, name, options_json); });
  };
  const Arguments arguments(found.schema->options, model.options);
  const std::string file = found.plugin->path.filename().string();
  const Component caller(ComponentOrigin{model.name, file, found.schema, false}, nullptr, nullptr);
  caller.invoke("configure_callbacks",
                [&] { return found.component->configure_callbacks(found.plugin->host, arguments.raw(), &list); });
  return std::move(taken.list);
}

Created PluginSet::create(const ComponentConfig& config, uint32_t kind, uint32_t stage, const levin_data_info* data) {
  const Found found = find(config, kind);
  const LoadedPlugin& plugin = *found.plugin;
  const levin_component* component = found.component;
  const ComponentSchema* schema = found.schema;
  console_.record(LEVIN_LOG_INFO, component_line(config, *schema));
  Created created{{config.name, plugin.path.filename().string(), schema}, nullptr, nullptr};
  const Arguments arguments(schema->options, with_local_copies(*schema, config.options, stage, console_));
  levin_create in{};
  in.size = sizeof in;
  in.stage = stage;
  in.args = arguments.raw();
  in.data = data;
  in.name = config.name.c_str();
  created.origin.large = asked_for_memory(*schema, config.options, data);
  ComponentOrigin origin = created.origin;
  origin.owned = false;
  const Component caller(origin, nullptr, nullptr);
  caller.invoke("create", [&] { return component->create(plugin.host, &in, &created.self, &created.table); });
  if (!created.self || !created.table)
    throw Error(ErrorCode::plugin_answer_invalid,
                created.origin.plugin + ": create of '" + config.component + "' returned no instance");
  if (created.table->size < sizeof(levin_object))
    throw Error(ErrorCode::plugin_table_invalid, created.origin.plugin + ": the table of '" + config.component +
                                                     "' says it has " + std::to_string(created.table->size) +
                                                     " bytes, fewer than its head");
  return created;
}

void PluginSet::hash_files() {
  for (const auto& known : plugins_)
    if (!is_of_program(known.first)) hashes_[known.first] = sha256_file(known.first);
}

nlohmann::json PluginSet::provenance() {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& [file, plugin] : plugins_)
    out.push_back({{"file", file},
                   {"id", plugin.schema.id},
                   {"version", plugin.schema.version},
                   {"torch", plugin.schema.torch},
                   {"build_id", plugin.build_id},
                   {"sha256", hash_of(file)}});
  return out;
}

const std::string& PluginSet::hash_of(const std::string& file) {
  const auto known = hashes_.find(file);
  return known != hashes_.end() ? known->second : hashes_[file] = is_of_program(file) ? "" : sha256_file(file);
}

}  // namespace levin::core
