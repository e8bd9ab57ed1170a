#include "core/plugin/checks/description_checks.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/plugin/checks/open_file.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

void check_component(const ComponentSchema& component) {
  for (uint32_t hook = 0; hook < 64 * LEVIN_HOOK_WORDS; ++hook) {
    const bool wanted = component.hooks[hook / 64] & LEVIN_BIT(hook);
    if (wanted && !hook_name(hook))
      throw Error(ErrorCode::plugin_description_invalid,
                  "'" + component.id + "' asks for hook " + std::to_string(hook) + ", which this host does not know");
  }
  const bool data = component.kind == LEVIN_KIND_DATA;
  std::vector<std::string> reserved;  // names of the host's own options, which a plugin's options must not have
  if (data)
    for (const auto& option : loader_options()) reserved.push_back(option.schema.name);
  if (component.kind == LEVIN_KIND_MODEL)
    for (const OptionSchema& option : weight_options()) reserved.push_back(option.name);
  for (const auto& option : component.options) {
    std::vector<std::string> names = option.aliases;
    names.push_back(option.name);
    const auto taken = std::find_first_of(names.begin(), names.end(), reserved.begin(), reserved.end());
    if (taken != names.end())
      throw Error(ErrorCode::plugin_description_invalid,
                  "'" + component.id + "' declares the option '" + *taken + "', which the host gives every " +
                      (data ? "data module" : "model") + "; reserved are " + join(reserved, ", "));
  }
}

void check_schema(const PluginSchema& schema, const ElfFile& elf, const std::string& name) {
  if (schema.components.empty()) refuse_plugin(name, 11, "it has no component");
  try {
    for (const auto& component : schema.components) check_component(component);
  } catch (const Error& e) {
    refuse_plugin(name, 11, e.what());
  }
  const std::string id = elf.note_value("id");
  if (schema.id != id) refuse_plugin(name, 12, "its note says it is '" + id + "', its tables say '" + schema.id + "'");
}

// Returns the ids or names of the list's items; a list of plain values is returned unchanged.
json names_of(const json& list) {
  json names = json::array();
  for (const json& item : list)
    names.push_back(item.contains("id") ? item["id"] : item.contains("name") ? item["name"] : item);
  return names;
}

// key: the key of both values in their owner. owner: "" for the plugin itself, "thing" for a component, "thing.count"
// for an option.
std::string difference(const json& described, const json& code, const std::string& owner, const std::string& key) {
  if (described == code) return {};
  const std::string name = owner.empty() ? key : owner + "." + key;
  if (described.is_object() && code.is_object()) {
    json keys = described;
    keys.update(code);
    for (const auto& item : keys.items()) {
      const std::string found =
          difference(described.value(item.key(), json()), code.value(item.key(), json()), name, item.key());
      if (!found.empty()) return found;
    }
  }
  const bool lists = described.is_array() && code.is_array();
  const json described_names = lists ? names_of(described) : described, code_names = lists ? names_of(code) : code;
  if (described_names != code_names)
    return name + " is " + show(described_names) + " in the description and " + show(code_names) + " in the code";
  for (size_t i = 0; i < code.size(); ++i) {
    const json& item = code_names[i];
    const std::string found =
        difference(described[i], code[i], owner, item.is_string() ? item.get<std::string>() : item.dump());
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string description_difference(const PluginSchema& described, const PluginSchema& code) {
  return difference(to_json(described), to_json(code), "", "");
}

PluginSchema checked_description(const levin_plugin& plugin, const ElfFile& elf, const std::string& name) {
  PluginSchema schema;
  try {
    schema = describe(plugin);
  } catch (const Error& e) {
    refuse_plugin(name, 11, e.what());
  }
  check_schema(schema, elf, name);
  return schema;
}

PluginSchema embedded_description(const ElfFile& elf, const std::string& name) {
  const json parsed = json::parse(elf.description, nullptr, false);
  if (parsed.is_discarded())
    refuse_plugin(name, 11, "the description embedded in it is damaged; build or copy it again");
  PluginSchema schema;
  try {
    schema = plugin_schema_from_json(parsed);
  } catch (const Error& e) {
    refuse_plugin(name, 11, e.what());
  }
  check_schema(schema, elf, name);
  return schema;
}

}  // namespace levin::core
