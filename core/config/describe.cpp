// Reads the schema from the tables of a loaded plugin. The plugin may be older or newer than the host, so each table is
// read only up to the size that it states.
#include <cstddef>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/schema.hpp"

namespace levin::core {
namespace {

constexpr uint32_t first_option_size = 56, first_claim_size = 24, most_items = 4096;

[[noreturn]] void refuse_tables(const std::string& what) {
  throw Error(ErrorCode::plugin_description_invalid, "the plugin's tables are wrong: " + what);
}

std::string text(const char* s) { return s ? s : ""; }

std::vector<std::string> texts(const char* const* list) {
  std::vector<std::string> out;
  for (; list != nullptr && *list != nullptr; ++list) {
    if (out.size() == most_items) refuse_tables("a list of names has no end");
    out.emplace_back(*list);
  }
  return out;
}

nlohmann::json json_text(const char* s, const std::string& what) {
  return parse_json(s, what, ErrorCode::plugin_description_invalid);
}

// Parses the default, which is JSON text. The default of a string option may be the bare string, unless it is "null" or
// begins with a quote.
nlohmann::json default_of(const levin_option& option, const std::string& what) {
  const std::string written = option.deflt;
  const bool is_text = option.type == LEVIN_T_STRING || option.type == LEVIN_T_PATH || option.type == LEVIN_T_CHOICE;
  if (is_text && written != "null" && written.substr(0, 1) != "\"") return written;
  try {
    return json_text(option.deflt, what);
  } catch (const Error& e) {
    refuse_tables(what + " is " + written +
                  ", and has to be JSON (a text in it has quotes, \"\\\"auto\\\"\"): " + e.what());
  }
}

// Returns item i of an array. `stride` is the size in bytes of an item in the plugin's build.
template <class T>
const T& item(const T* array, uint32_t i, uint32_t stride) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(array) + size_t{i} * stride);
}

// size: the size of levin_option in the plugin's build.
OptionSchema describe_option(const levin_option& o, uint32_t size, const std::string& component) {
  if (o.name == nullptr) refuse_tables("'" + component + "' has an option without a name");
  OptionSchema out;
  out.name = o.name;
  out.type = o.type;
  out.flags = o.flags;
  if (o.deflt) out.deflt = default_of(o, "the default of " + component + "." + out.name);
  out.help = text(o.help);
  out.min = o.min;
  out.max = o.max;
  out.choices = texts(o.choices);
  if (size >= offsetof(levin_option, aliases) + sizeof o.aliases) out.aliases = texts(o.aliases);
  if (size >= offsetof(levin_option, deprecated) + sizeof o.deprecated) out.deprecated = text(o.deprecated);
  return out;
}

void describe_options(const levin_component& c, ComponentSchema& out) {
  if (!LEVIN_HAS(levin_component, &c, options) || !LEVIN_HAS(levin_component, &c, n_options)) return;
  if (c.option_size < first_option_size || c.n_options > most_items)
    refuse_tables("the options of '" + out.id + "' have a wrong size");
  for (uint32_t i = 0; i < c.n_options; ++i) {
    out.options.push_back(describe_option(item(c.options, i, c.option_size), c.option_size, out.id));
  }
}

void describe_claims(const levin_component& c, ComponentSchema& out) {
  if (!LEVIN_HAS(levin_component, &c, claims) || !LEVIN_HAS(levin_component, &c, n_claims)) return;
  if (c.claim_size < first_claim_size || c.n_claims > most_items)
    refuse_tables("the claims of '" + out.id + "' have a wrong size");
  for (uint32_t i = 0; i < c.n_claims; ++i) {
    const levin_flag& claim = item(c.claims, i, c.claim_size);
    if (claim.name == nullptr) refuse_tables("'" + out.id + "' claims an option without a name");
    out.claims.push_back({claim.name, text(claim.option), text(claim.help)});
  }
}

ComponentSchema describe_component(const levin_component* c) {
  if (c == nullptr || !LEVIN_HAS(levin_component, c, id)) refuse_tables("a component has no id");
  ComponentSchema out;
  out.kind = c->kind;
  out.id = c->id;
  if (LEVIN_HAS(levin_component, c, version)) out.version = c->version;
  if (LEVIN_HAS(levin_component, c, summary)) out.summary = c->summary;
  if (LEVIN_HAS(levin_component, c, aliases)) out.aliases = texts(c->aliases);
  if (LEVIN_KNOWS(levin_component, c, hooks)) {
    for (uint32_t word = 0; word < LEVIN_HOOK_WORDS; ++word) out.hooks[word] = c->hooks[word];
  }
  if (LEVIN_KNOWS(levin_component, c, flags)) out.flags = c->flags;
  if (!LEVIN_HAS(levin_component, c, create)) refuse_tables("'" + out.id + "' has no create function");
  describe_options(*c, out);
  describe_claims(*c, out);
  if (LEVIN_HAS(levin_component, c, defaults))
    out.defaults = json_text(c->defaults, "the defaults of '" + out.id + "'");
  if (LEVIN_HAS(levin_component, c, state_since)) out.state_since = c->state_since;
  return out;
}

std::string torch_version(const levin_torch_abi* torch) {
  if (torch == nullptr) return "none";
  return std::to_string(torch->torch_version / 1000000) + "." + std::to_string(torch->torch_version / 1000 % 1000);
}

}  // namespace

PluginSchema describe(const levin_plugin& p) {
  if (!LEVIN_HAS(levin_plugin, &p, id)) refuse_tables("the plugin has no id");
  PluginSchema out;
  out.id = p.id;
  out.abi_major = p.abi_major;
  out.abi_minor = p.abi_minor;
  if (LEVIN_HAS(levin_plugin, &p, version)) out.version = p.version;
  if (LEVIN_HAS(levin_plugin, &p, license)) out.license = p.license;
  if (LEVIN_HAS(levin_plugin, &p, url)) out.url = p.url;
  out.torch = torch_version(LEVIN_KNOWS(levin_plugin, &p, torch) ? p.torch : nullptr);
  if (LEVIN_HAS(levin_plugin, &p, components) && LEVIN_HAS(levin_plugin, &p, n_components)) {
    if (p.n_components > most_items) refuse_tables("it says it has " + std::to_string(p.n_components) + " components");
    for (uint64_t i = 0; i < p.n_components; ++i) out.components.push_back(describe_component(p.components[i]));
  }
  complete_schema(out);
  check_schema(out);
  return out;
}

}  // namespace levin::core
