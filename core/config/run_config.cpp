#include "core/config/run_config.hpp"

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

template <class T>
json to_config_json(const T& value) {
  return value;
}

json to_config_json(Command command) { return name_of(command); }

json to_config_json(const ComponentConfig& c) {
  return {{"name", c.name},     {"file", c.file},       {"component", c.component}, {"version", c.version},
          {"sha256", c.sha256}, {"options", c.options}, {"given", c.given}};
}

template <class T>
json to_config_json(const std::optional<T>& value) {
  return value ? to_config_json(*value) : json(nullptr);
}

json to_config_json(const std::vector<ComponentConfig>& list) {
  json out = json::array();
  for (const ComponentConfig& c : list) out.push_back(to_config_json(c));
  return out;
}

template <class T>
void from_config_json(T& value, const json& j) {
  j.get_to(value);
}

void from_config_json(Command& command, const json& j) { command = value_named<Command>(j.get<std::string>()).value(); }

void from_config_json(ComponentConfig& c, const json& j) {
  c = {j.at("name").get<std::string>(),
       j.at("file").get<std::string>(),
       j.at("component").get<std::string>(),
       j.at("options"),
       j.value("version", ""),
       j.value("sha256", ""),
       j.value("given", std::vector<std::string>{})};
}

void from_config_json(std::vector<ComponentConfig>& list, const json& j) {
  for (const json& item : j) from_config_json(list.emplace_back(), item);
}

template <class T>
void from_config_json(std::optional<T>& value, const json& j) {
  if (!j.is_null()) from_config_json(value.emplace(), j);
}

// A member of RunConfig in its JSON form.
struct ConfigMember {
  const char* key;
  bool required;               // if false, a missing key leaves the member's default
  bool (*holds)(const json&);  // nullptr = any value of the member's type
  const char* wanted;          // description of valid values
  json (*get)(const RunConfig&);
  void (*set)(RunConfig&, const json&);
};

template <auto member>
constexpr ConfigMember config_row(const char* key, bool required, bool (*holds)(const json&) = nullptr,
                                  const char* wanted = "") {
  return {key,
          required,
          holds,
          wanted,
          [](const RunConfig& c) { return to_config_json(c.*member); },
          [](RunConfig& c, const json& j) { from_config_json(c.*member, j); }};
}

bool is_command(const json& v) { return v.is_string() && value_named<Command>(v.get<std::string>()); }
bool object_or_null(const json& v) { return v.is_null() || v.is_object(); }
bool is_verbosity(const json& v) { return v == verbosity_quiet || v == 0 || v == verbosity_verbose; }

constexpr ConfigMember config_members[] = {
    config_row<&RunConfig::command>("command", true, is_command, "run, fit, validate, test, tune or predict"),
    config_row<&RunConfig::model>("model", true, json_rule::object, "an object"),
    config_row<&RunConfig::data>("data", true, object_or_null, "an object or null"),
    config_row<&RunConfig::loader>("loader", true, json_rule::object, "an object"),
    config_row<&RunConfig::loader_given>("loader_given", false, json_rule::list, "a list"),
    config_row<&RunConfig::weights>("weights", false, json_rule::object, "an object"),
    config_row<&RunConfig::callbacks>("callbacks", true, json_rule::list, "a list"),
    config_row<&RunConfig::loggers>("loggers", true, json_rule::list, "a list"),
    config_row<&RunConfig::optimizers>("optimizers", true, json_rule::list, "a list"),
    config_row<&RunConfig::trainer>("trainer", true, json_rule::object, "an object"),
    config_row<&RunConfig::timed>("timed", false, json_rule::flag, "true or false"),
    config_row<&RunConfig::ckpt_path>("ckpt_path", true, json_rule::text_or_null, "a text or null"),
    config_row<&RunConfig::ckpt_run>("ckpt_run", false),
    config_row<&RunConfig::resume>("resume", true, json_rule::text_or_null, "a text or null"),
    config_row<&RunConfig::takes_saved_options>("takes_saved_options", false, json_rule::flag, "true or false"),
    config_row<&RunConfig::slurm_job>("slurm_job", false),
    config_row<&RunConfig::torchrun_job>("torchrun_job", false),
    config_row<&RunConfig::trust>("trust", true, json_rule::flag, "true or false"),
    config_row<&RunConfig::allow_plugin_changes>("allow_plugin_changes", false, json_rule::flag, "true or false"),
    config_row<&RunConfig::strict_resume>("strict_resume", false),
    config_row<&RunConfig::trace_hooks>("trace_hooks", false, json_rule::flag, "true or false"),
    config_row<&RunConfig::verbosity>("verbosity", false, is_verbosity, "-1, 0 or 1"),
    config_row<&RunConfig::debug_plugins>("debug_plugins", false, json_rule::flag, "true or false"),
    config_row<&RunConfig::plugin_dirs>("plugins", true, json_rule::list, "a list"),
    config_row<&RunConfig::origins>("origins", true, json_rule::object, "an object"),
    config_row<&RunConfig::secrets>("secrets", true, json_rule::list, "a list")};
constexpr JsonRule element_rules[] = {{"loader_given/*", json_rule::text, "a text"},
                                      {"plugins/*", json_rule::text, "a text"},
                                      {"origins/*", json_rule::text, "a text"},
                                      {"secrets/*", json_rule::text, "a text"}};
constexpr JsonRule component_rules[] = {
    {"name", json_rule::text, "a text"},      {"file", json_rule::text, "a text"},
    {"component", json_rule::text, "a text"}, {"version", json_rule::text, "a text"},
    {"sha256", json_rule::text, "a text"},    {"options", json_rule::object, "an object"},
    {"given", json_rule::list, "a list"},     {"given/*", json_rule::text, "a text"},
};

void check_component(const json& c, const std::string& where) {
  if (!c.is_object())
    throw Error(ErrorCode::file_content_invalid, where + " is " + show(c) + ", and has to be an object");
  check_json(c, component_rules, where, ErrorCode::file_content_invalid);
}

// Checks the types of the existing members; missing members are reported when they are read.
void check_config(const json& j, const std::string& where) {
  for (const ConfigMember& member : config_members)
    if (member.holds)
      check_json(j, JsonRule{member.key, member.holds, member.wanted}, where, ErrorCode::file_content_invalid);
  check_json(j, element_rules, where, ErrorCode::file_content_invalid);
  for (const char* one : {"model", "data"})
    if (j.contains(one) && !j[one].is_null()) check_component(j[one], where + ": '" + one + "'");
  for (const char* many : {"callbacks", "loggers", "optimizers"})
    for (const json& c : j.value(many, json::array())) check_component(c, where + ": one of '" + many + "'");
}

void blank_secrets(std::vector<ComponentConfig>& list, const std::string& group, const std::string& secret) {
  for (auto& c : list) {
    const std::string prefix = group + "." + c.name + ".";
    if (secret.compare(0, prefix.size(), prefix) == 0) c.options.erase(secret.substr(prefix.size()));
  }
}

void take_options(ComponentConfig& component, const ComponentConfig& saved) {
  if (saved.component == component.component) component.options.update(saved.options);
}

void take_options(std::vector<ComponentConfig>& components, const std::vector<ComponentConfig>& saved) {
  for (size_t i = 0; i < components.size() && i < saved.size(); ++i) take_options(components[i], saved[i]);
}

}  // namespace

json to_json(const RunConfig& c) {
  json out = {{"levin", 1}};
  for (const ConfigMember& member : config_members) out[member.key] = member.get(c);
  return out;
}

json to_json_without_secrets(const RunConfig& config) {
  RunConfig c = config;
  for (const auto& secret : c.secrets) {
    if (secret.rfind("model.", 0) == 0) c.model.options.erase(secret.substr(6));
    if (secret.rfind("data.", 0) == 0 && c.data) c.data->options.erase(secret.substr(5));
    blank_secrets(c.callbacks, "callback", secret);
    blank_secrets(c.loggers, "logger", secret);
  }
  return to_json(c);
}

bool is_run_config(const json& value) { return value.is_object() && value.contains("levin"); }

RunConfig run_config_from_json(const json& j, const std::string& where) {
  RunConfig c;
  try {
    if (!j.is_object() || !j.contains("levin") || j["levin"] != 1)
      throw Error(ErrorCode::file_content_invalid, where + ": not a run's configuration of format 1");
    check_config(j, where);
    for (const ConfigMember& member : config_members)
      if (member.required || j.contains(member.key)) member.set(c, j.at(member.key));
  } catch (const json::exception& e) {
    throw Error(ErrorCode::file_content_invalid, where + ": not a run's configuration: " + brief_json_error(e.what()));
  }
  return c;
}

void take_saved_options(RunConfig& config, const RunConfig& saved) {
  config.trainer = saved.trainer;
  config.loader = saved.loader;
  take_options(config.model, saved.model);
  if (config.data && saved.data) take_options(*config.data, *saved.data);
  take_options(config.callbacks, saved.callbacks);
  take_options(config.loggers, saved.loggers);
}

}  // namespace levin::core
