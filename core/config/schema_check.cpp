#include <cctype>
#include <set>

#include "core/base/error.hpp"
#include "core/base/version.hpp"
#include "core/config/option.hpp"
#include "sdk/include/levin/tasks.h"

namespace levin::core {
namespace {

[[noreturn]] void refuse_schema(const std::string& what) { throw Error(ErrorCode::plugin_description_invalid, what); }

void check_name(const std::string& name, const std::string& what) {
  if (!is_name(name)) refuse_schema("the " + what + " '" + name + "' is not a name: use letters, digits, _ and -");
}

void check_option_schema(const OptionSchema& option, const ComponentSchema& component) {
  const std::string where = component.id + "." + option.name;
  check_name(option.name, "option of '" + component.id + "',");
  const bool type_ok = option.type >= LEVIN_T_BOOL && option.type <= LEVIN_T_INTS && option.type != LEVIN_T_TENSOR;
  if (!type_ok)
    refuse_schema("option " + where + " has the type '" + type_name(option.type) + "', which options cannot have");
  if (option.type == LEVIN_T_CHOICE && option.choices.empty()) refuse_schema("option " + where + " has no choices");
  if (option.flags & LEVIN_OPT_REQUIRED) return;
  check_option(option, option.deflt, "the default of " + where, ErrorCode::plugin_description_invalid);
}

const OptionSchema* find_option(const ComponentSchema& component, const std::string& name) {
  for (const auto& option : component.options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

void check_claims(const ComponentSchema& component) {
  std::set<std::string> names;
  for (const auto& claim : component.claims) {
    check_name(claim.name, "trainer option claimed by '" + component.id + "',");
    if (!names.insert(claim.name).second)
      refuse_schema("'" + component.id + "' claims trainer." + claim.name + " twice");
    if (!claim.option.empty() && !find_option(component, claim.option)) {
      refuse_schema("'" + component.id + "' claims trainer." + claim.name + " for its option '" + claim.option +
                    "', which it does not have");
    }
  }
}

// Throws unless each former name belongs to one option and is not a current name.
void check_option_names(const ComponentSchema& component) {
  std::set<std::string> names;
  for (const auto& option : component.options) {
    check_option_schema(option, component);
    if (!names.insert(option.name).second)
      refuse_schema("option " + component.id + "." + option.name + " is declared twice");
  }
  for (const auto& option : component.options) {
    for (const auto& alias : option.aliases) {
      check_name(alias, "former name of " + component.id + "." + option.name + ",");
      if (!names.insert(alias).second)
        refuse_schema("the former name '" + alias + "' of " + component.id + "." + option.name +
                      " is the name of another option, or given twice");
    }
  }
}

void check_state_since(const ComponentSchema& component) {
  if (component.state_since.empty() || component.version.empty()) return;
  if (compare_versions(component.state_since, component.version) > 0)
    refuse_schema("'" + component.id + "' says that it loads state since version " + component.state_since +
                  ", which is newer than its own " + component.version);
}

void check_component_schema(const ComponentSchema& component) {
  check_name(component.id, "component id");
  if (component.kind < LEVIN_KIND_MODEL || component.kind > LEVIN_KIND_TASKS) {
    refuse_schema("component '" + component.id + "' is of unknown kind " + std::to_string(component.kind));
  }
  check_option_names(component);
  check_claims(component);
  check_state_since(component);
  if (!component.defaults.is_object()) refuse_schema("the defaults of '" + component.id + "' are not a JSON object");
}

}  // namespace

bool is_name(const std::string& text) {
  if (text.empty() || text.size() > 100 || text[0] == '-' || std::isdigit(static_cast<unsigned char>(text[0])))
    return false;
  for (const char c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') return false;
  }
  return true;
}

void check_schema(const PluginSchema& plugin) {
  if (plugin.id.empty()) refuse_schema("the plugin has no id");
  std::set<std::pair<uint32_t, std::string>> ids;
  for (const auto& component : plugin.components) {
    check_component_schema(component);
    if (!ids.insert({component.kind, component.id}).second) {
      refuse_schema("plugin '" + plugin.id + "' has two " + kind_name(component.kind) + " components '" + component.id +
                    "'");
    }
  }
}

}  // namespace levin::core
