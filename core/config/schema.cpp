#include "core/config/schema.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

const char* const kind_names[] = {nullptr, "model", "data", "callback", "logger", "optimizer", "tasks"};
const char* const type_names[] = {"none",   "bool", "int",    "float", "string", "path",
                                  "choice", "json", "tensor", "ints",  "tensors"};

struct FlagName {
  uint64_t flag;
  const char* name;
};
constexpr FlagName flag_table[] = {{LEVIN_F_CONCURRENT, "concurrent"},
                                   {LEVIN_F_ISOLATABLE, "isolatable"},
                                   {LEVIN_F_MANUAL, "manual optimization"},
                                   {LEVIN_F_MONITOR, "monitor"},
                                   {LEVIN_F_LAST, "last"},
                                   {LEVIN_F_FIRST, "first"},
                                   {LEVIN_F_OFF_IN_FAST_DEV_RUN, "off in fast_dev_run"},
                                   {LEVIN_F_ONE_ONLY, "one only"},
                                   {LEVIN_F_OFF_THREAD, "off the training thread"},
                                   {LEVIN_F_OPTIMIZER_IDX, "looks at optimizer_idx"}};

[[noreturn]] void malformed(const std::string& what) {
  throw Error(ErrorCode::plugin_description_invalid, "the plugin's description is malformed: " + what);
}

json option_to_json(const OptionSchema& o) {
  json j{{"name", o.name}, {"type", type_name(o.type)}, {"flags", o.flags}, {"default", o.deflt}, {"help", o.help}};
  if (o.min <= o.max) {
    j["bounded"] = true;
    if (std::isfinite(o.min)) j["min"] = o.min;
    if (std::isfinite(o.max)) j["max"] = o.max;
  }
  if (!o.choices.empty()) j["choices"] = o.choices;
  if (!o.aliases.empty()) j["aliases"] = o.aliases;
  if (!o.deprecated.empty()) j["deprecated"] = o.deprecated;
  return j;
}

json component_to_json(const ComponentSchema& c) {
  json options = json::array(), claims = json::array(), hooks = json::array();
  for (const auto& o : c.options) options.push_back(option_to_json(o));
  for (const auto& claim : c.claims)
    claims.push_back({{"name", claim.name}, {"option", claim.option}, {"help", claim.help}});
  for (uint32_t h = 0; h < 64 * LEVIN_HOOK_WORDS; ++h) {
    if ((c.hooks[h / 64] & LEVIN_BIT(h)) == 0) continue;
    hooks.push_back(hook_name(h) ? json(hook_name(h)) : json(h));
  }
  json out = {{"kind", kind_name(c.kind)},
              {"id", c.id},
              {"version", c.version},
              {"summary", c.summary},
              {"aliases", c.aliases},
              {"options", options},
              {"hooks", hooks},
              {"flags", c.flags},
              {"claims", claims},
              {"defaults", c.defaults}};
  if (!c.state_since.empty()) out["state_since"] = c.state_since;
  return out;
}

template <size_t n>
uint32_t place_of_name(const std::string& name, const char* const (&names)[n], const char* what) {
  for (uint32_t place = 0; place < n; ++place)
    if (names[place] && name == names[place]) return place;
  malformed(std::string("unknown ") + what + " '" + name + "'");
}

uint32_t hook_from_json(const json& j) {
  if (j.is_string()) {
    for (uint32_t h = 0; h < LEVIN_HOOK_COUNT; ++h) {
      if (hook_name(h) && j == hook_name(h)) return h;
    }
  }
  if (!j.is_number_unsigned() || j.get<uint64_t>() >= 64 * LEVIN_HOOK_WORDS) malformed("unknown hook " + show(j));
  return j.get<uint32_t>();
}

// Throws for a number that is not an integer or does not fit T.
template <class T>
T count_from_json(const json& j, const char* what) {
  if (!j.is_number_unsigned() || j > std::numeric_limits<T>::max()) malformed(std::string(what) + " is " + show(j));
  return j.get<T>();
}

OptionSchema option_from_json(const json& j) {
  OptionSchema o;
  o.name = j.at("name").get<std::string>();
  o.type = place_of_name(j.at("type").get<std::string>(), type_names, "option type");
  o.flags = count_from_json<uint32_t>(j.at("flags"), "flags");
  o.deflt = j.at("default");
  o.help = j.at("help").get<std::string>();
  if (j.value("bounded", false)) {
    o.min = j.value("min", -HUGE_VAL);
    o.max = j.value("max", HUGE_VAL);
  }
  o.choices = j.value("choices", std::vector<std::string>{});
  o.aliases = j.value("aliases", std::vector<std::string>{});
  o.deprecated = j.value("deprecated", "");
  return o;
}

ComponentSchema component_schema_from_json(const json& j) {
  ComponentSchema c;
  c.kind = place_of_name(j.at("kind").get<std::string>(), kind_names, "kind");
  c.id = j.at("id").get<std::string>();
  c.version = j.at("version").get<std::string>();
  c.summary = j.at("summary").get<std::string>();
  c.aliases = j.at("aliases").get<std::vector<std::string>>();
  for (const auto& o : j.at("options")) c.options.push_back(option_from_json(o));
  for (const auto& h : j.at("hooks")) {
    const uint32_t hook = hook_from_json(h);
    c.hooks[hook / 64] |= LEVIN_BIT(hook);
  }
  c.flags = count_from_json<uint64_t>(j.at("flags"), "flags");
  for (const auto& claim : j.at("claims")) {
    c.claims.push_back({claim.at("name").get<std::string>(), claim.at("option").get<std::string>(),
                        claim.at("help").get<std::string>()});
  }
  c.defaults = j.at("defaults");
  c.state_since = j.value("state_since", "");
  return c;
}

}  // namespace

json to_json(const PluginSchema& p) {
  json components = json::array();
  for (const auto& c : p.components) components.push_back(component_to_json(c));
  return {{"levin", 1},           {"id", p.id},
          {"version", p.version}, {"license", p.license},
          {"url", p.url},         {"abi", {p.abi_major, p.abi_minor}},
          {"torch", p.torch},     {"components", components}};
}

void complete_schema(PluginSchema& plugin) {
  for (ComponentSchema& component : plugin.components) {
    component.plugin = plugin.id;
    for (OptionSchema& option : component.options)
      option.takes_url = component.kind == LEVIN_KIND_DATA && option.type == LEVIN_T_PATH;
  }
}

PluginSchema plugin_schema_from_json(const json& j) {
  PluginSchema p;
  try {
    if (!j.is_object() || !j.contains("levin") || j["levin"] != 1) malformed("not of format 1");
    p.id = j.at("id").get<std::string>();
    p.version = j.at("version").get<std::string>();
    p.license = j.at("license").get<std::string>();
    p.url = j.at("url").get<std::string>();
    p.abi_major = count_from_json<uint32_t>(j.at("abi").at(0), "abi");
    p.abi_minor = count_from_json<uint32_t>(j.at("abi").at(1), "abi");
    p.torch = j.at("torch").get<std::string>();
    for (const auto& c : j.at("components")) p.components.push_back(component_schema_from_json(c));
  } catch (const json::exception& e) {
    malformed(e.what());
  }
  complete_schema(p);
  check_schema(p);
  return p;
}

bool ComponentSchema::answers_to(const std::string& name) const {
  const size_t colon = name.rfind(':');
  if (colon != std::string::npos && name.substr(0, colon) != plugin) return false;
  const std::string own = colon == std::string::npos ? name : name.substr(colon + 1);
  return own == id || std::find(aliases.begin(), aliases.end(), own) != aliases.end();
}

const char* kind_name(uint32_t kind) { return kind > 0 && kind < std::size(kind_names) ? kind_names[kind] : "unknown"; }

const char* type_name(uint32_t type) { return type < std::size(type_names) ? type_names[type] : "unknown"; }

const char* hook_name(uint32_t hook) {
  switch (hook) {
#define LEVIN_HOOK_NAME(NAME, bit, member) \
  case bit:                                \
    return #member;
    LEVIN_FOR_EACH_HOOK(LEVIN_HOOK_NAME)
#undef LEVIN_HOOK_NAME
    default:
      return nullptr;
  }
}

const char* flag_name(uint64_t flag) {
  for (const FlagName& known : flag_table)
    if (known.flag == flag) return known.name;
  return nullptr;
}

}  // namespace levin::core
