// A plugin's description, read from its file without running it, or from the tables of the loaded plugin.
#pragma once
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sdk/include/levin/abi.h"

namespace levin::core {

struct OptionSchema {
  std::string name;
  uint32_t type = LEVIN_T_NONE;  // LEVIN_T_*
  uint32_t flags = 0;            // LEVIN_OPT_*
  nlohmann::json deflt;          // null with LEVIN_OPT_REQUIRED
  std::string help;
  double min = 1, max = 0;  // min > max = unbounded
  std::vector<std::string> choices;
  std::vector<std::string> aliases;  // former names
  std::string deprecated;            // what to use instead; "" = not deprecated
  bool takes_url = false;            // an http address too, of which the component gets a local copy; a path of data
};

struct ClaimSchema {  // a trainer option that a component serves; see levin_flag
  std::string name, option, help;
};

struct ComponentSchema {
  uint32_t kind = 0;  // LEVIN_KIND_*
  std::string id, version, summary;
  std::string plugin;  // id of its plugin; not part of the JSON form
  std::vector<std::string> aliases;
  std::vector<OptionSchema> options;
  std::array<uint64_t, LEVIN_HOOK_WORDS> hooks{};
  uint64_t flags = 0;  // LEVIN_F_*
  std::vector<ClaimSchema> claims;
  nlohmann::json defaults = nlohmann::json::object();  // dotted option -> value, e.g. "trainer.max_epochs"
  std::string state_since;                             // oldest version whose saved state it accepts; "" = all versions

  // Returns "org.example:watch", which is unique among components of a kind; the id alone may not be.
  std::string full_name() const { return plugin.empty() ? id : plugin + ":" + id; }
  // Returns true if `name` is the id or a former id, with or without the prefix "PLUGIN-ID:".
  bool answers_to(const std::string& name) const;
};

struct PluginSchema {
  std::string id, version, license, url;
  uint32_t abi_major = 0, abi_minor = 0;
  std::string torch;  // "1.13", or "none" for the portable tier
  std::vector<ComponentSchema> components;
};

// The JSON form that is embedded in plugin files. Reading throws Error{plugin} if the JSON is malformed.
nlohmann::json to_json(const PluginSchema&);
PluginSchema plugin_schema_from_json(const nlohmann::json&);
// Reads the schema from the tables of a loaded plugin. Reads each table only up to the size that it states.
PluginSchema describe(const levin_plugin&);

// Sets what follows from the other members of a description: the plugin of a component, and which options take
// addresses.
void complete_schema(PluginSchema& plugin);

// The rules for a description, which both functions above apply. Throws Error{plugin}, which names the component and
// the option, if a rule is broken: names must be unique and usable on a command line, kinds and types known, defaults
// valid for their option, and claimed options must exist.
void check_schema(const PluginSchema& plugin);

// Returns true if the text can be a name in --group.name: letters, digits, _ and -, not starting with a digit or -.
bool is_name(const std::string& text);

const char* kind_name(uint32_t kind);  // "model", "data", "callback", "logger", "optimizer"
const char* type_name(uint32_t type);  // "bool", "int", "float", "string", ...
const char* hook_name(uint32_t hook);  // "on_fit_start", ...; nullptr = no such hook
const char* flag_name(uint64_t flag);  // one LEVIN_F_* for users: "manual optimization"; nullptr = no such flag

}  // namespace levin::core
