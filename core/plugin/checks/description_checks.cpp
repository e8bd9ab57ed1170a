#include "core/plugin/checks/description_checks.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/trainer/loader_options.hpp"
#include "core/config/trainer/weight_options.hpp"

namespace levin::core {
namespace {

void check_component(const ComponentSchema& component) {
  for (uint32_t hook = 0; hook < 64 * LEVIN_HOOK_WORDS; ++hook) {
    const bool wanted = component.hooks[hook / 64] & LEVIN_BIT(hook);
    if (wanted && !hook_name(hook))
      throw Error(ErrorKind::plugin,
                  "'" + component.id + "' asks for hook " + std::to_string(hook) + ", which this host does not know");
  }
  const bool data = component.kind == LEVIN_KIND_DATA;
  std::vector<std::string> reserved;  // the host has these options already, so a plugin's could never be set
  if (data)
    for (const auto& option : loader_options()) reserved.push_back(option.schema.name);
  if (component.kind == LEVIN_KIND_MODEL)
    for (const OptionSchema& option : weight_options()) reserved.push_back(option.name);
  for (const auto& option : component.options) {
    std::vector<std::string> names = option.aliases;
    names.push_back(option.name);
    const auto taken = std::find_first_of(names.begin(), names.end(), reserved.begin(), reserved.end());
    if (taken != names.end())
      throw Error(ErrorKind::plugin, "'" + component.id + "' declares the option '" + *taken +
                                         "', which the host gives every " + (data ? "data module" : "model") +
                                         "; reserved are " + join(reserved, ", "));
  }
}

void check_schema(const PluginSchema& schema, const ElfFile& elf, const std::string& name) {
  if (schema.components.empty()) throw Error(ErrorKind::plugin, name + ": it has no component (P11)");
  try {
    for (const auto& component : schema.components) check_component(component);
  } catch (const Error& e) {
    throw Error(ErrorKind::plugin, name + ": " + e.what() + " (P11)");
  }
  const std::string id = elf.note_value("id");
  if (schema.id != id)
    throw Error(ErrorKind::plugin,
                name + ": its note says it is '" + id + "', its tables say '" + schema.id + "' (P12)");
}

}  // namespace

PluginSchema checked_description(const levin_plugin& plugin, const ElfFile& elf, const std::string& name) {
  PluginSchema schema;
  try {
    schema = describe(plugin);
  } catch (const Error& e) {
    throw Error(ErrorKind::plugin, name + ": " + e.what() + " (P11)");
  }
  check_schema(schema, elf, name);
  return schema;
}

PluginSchema embedded_description(const ElfFile& elf, const std::string& name) {
  const auto json = nlohmann::json::parse(elf.description, nullptr, false);
  if (json.is_discarded())
    throw Error(ErrorKind::plugin, name + ": the description embedded in it is damaged; build or copy it again (P11)");
  PluginSchema schema;
  try {
    schema = plugin_schema_from_json(json);
  } catch (const Error& e) {
    throw Error(ErrorKind::plugin, name + ": " + e.what() + " (P11)");
  }
  check_schema(schema, elf, name);
  return schema;
}

}  // namespace levin::core
