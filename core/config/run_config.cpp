#include "core/config/run_config.hpp"

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

json instance_to_json(const ComponentConfig& c) {
  return {{"name", c.name},     {"file", c.file},       {"component", c.component}, {"version", c.version},
          {"sha256", c.sha256}, {"options", c.options}, {"given", c.given}};
}

ComponentConfig instance_from_json(const json& j) {
  return {j.at("name").get<std::string>(),
          j.at("file").get<std::string>(),
          j.at("component").get<std::string>(),
          j.at("options"),
          j.value("version", ""),
          j.value("sha256", ""),
          j.value("given", std::vector<std::string>{})};
}

json list_to_json(const std::vector<ComponentConfig>& list) {
  json out = json::array();
  for (const auto& c : list) out.push_back(instance_to_json(c));
  return out;
}

std::vector<ComponentConfig> list_from_json(const json& j) {
  std::vector<ComponentConfig> out;
  for (const auto& item : j) out.push_back(instance_from_json(item));
  return out;
}

// A key comes after the key that contains it.
constexpr JsonRule config_rules[] = {
    {"command", json_rule::text, "a text"},
    {"model", json_rule::object, "an object"},
    {"data", [](const json& v) { return v.is_null() || v.is_object(); }, "an object or null"},
    {"loader", json_rule::object, "an object"},
    {"loader_given", json_rule::list, "a list"},
    {"loader_given/*", json_rule::text, "a text"},
    {"weights", json_rule::object, "an object"},
    {"callbacks", json_rule::list, "a list"},
    {"loggers", json_rule::list, "a list"},
    {"optimizers", json_rule::list, "a list"},
    {"trainer", json_rule::object, "an object"},
    {"timed", json_rule::flag, "true or false"},
    {"ckpt_path", json_rule::text_or_null, "a text or null"},
    {"resume", json_rule::text_or_null, "a text or null"},
    {"takes_saved_options", json_rule::flag, "true or false"},
    {"trust", json_rule::flag, "true or false"},
    {"allow_plugin_changes", json_rule::flag, "true or false"},
    {"trace_hooks", json_rule::flag, "true or false"},
    {"verbosity", [](const json& v) { return v == -1 || v == 0 || v == 1; }, "-1, 0 or 1"},
    {"debug_plugins", json_rule::flag, "true or false"},
    {"plugins", json_rule::list, "a list"},
    {"plugins/*", json_rule::text, "a text"},
    {"origins", json_rule::object, "an object"},
    {"origins/*", json_rule::text, "a text"},
    {"secrets", json_rule::list, "a list"},
    {"secrets/*", json_rule::text, "a text"},
};
constexpr JsonRule component_rules[] = {
    {"name", json_rule::text, "a text"},      {"file", json_rule::text, "a text"},
    {"component", json_rule::text, "a text"}, {"version", json_rule::text, "a text"},
    {"sha256", json_rule::text, "a text"},    {"options", json_rule::object, "an object"},
    {"given", json_rule::list, "a list"},     {"given/*", json_rule::text, "a text"},
};

void check_component(const json& c, const std::string& where) {
  if (!c.is_object()) throw Error(ErrorKind::usage, where + " is " + show(c) + ", and has to be an object");
  check_json(c, component_rules, where, ErrorKind::usage);
}

// Checks the types of the existing members; missing members are reported when they are read.
void check_config(const json& j, const std::string& where) {
  check_json(j, config_rules, where, ErrorKind::usage);
  for (const char* one : {"model", "data"})
    if (j.contains(one) && !j[one].is_null()) check_component(j[one], where + ": '" + one + "'");
  for (const char* many : {"callbacks", "loggers", "optimizers"})
    for (const json& c : j.value(many, json::array())) check_component(c, where + ": one of '" + many + "'");
}

Command command_from_json(const json& j, const std::string& where) {
  const std::string name = j.get<std::string>();
  if (const auto command = value_named<Command>(name)) return *command;
  throw Error(ErrorKind::usage, where + ": not a run's configuration: there is no command '" + name + "'");
}

json text_or_null(const std::optional<std::string>& text) { return text ? json(*text) : json(nullptr); }

std::optional<std::string> optional_text(const json& j) {
  if (j.is_null()) return std::nullopt;
  return j.get<std::string>();
}

void blank_secrets(std::vector<ComponentConfig>& list, const std::string& group, const std::string& secret) {
  for (auto& c : list) {
    const std::string prefix = group + "." + c.name + ".";
    if (secret.compare(0, prefix.size(), prefix) == 0) c.options.erase(secret.substr(prefix.size()));
  }
}

}  // namespace

json to_json(const RunConfig& c) {
  return {{"levin", 1},
          {"command", name_of(c.command)},
          {"model", instance_to_json(c.model)},
          {"data", c.data ? instance_to_json(*c.data) : json(nullptr)},
          {"loader", c.loader},
          {"loader_given", c.loader_given},
          {"weights", c.weights},
          {"callbacks", list_to_json(c.callbacks)},
          {"loggers", list_to_json(c.loggers)},
          {"optimizers", list_to_json(c.optimizers)},
          {"trainer", c.trainer},
          {"timed", c.timed},
          {"ckpt_path", text_or_null(c.ckpt_path)},
          {"ckpt_run", text_or_null(c.ckpt_run)},
          {"resume", text_or_null(c.resume)},
          {"takes_saved_options", c.takes_saved_options},
          {"slurm_job", c.slurm_job},
          {"torchrun_job", c.torchrun_job},
          {"trust", c.trust},
          {"allow_plugin_changes", c.allow_plugin_changes},
          {"strict_resume", c.strict_resume},
          {"trace_hooks", c.trace_hooks},
          {"verbosity", c.verbosity},
          {"debug_plugins", c.debug_plugins},
          {"plugins", c.plugin_dirs},
          {"origins", c.origins},
          {"secrets", c.secrets}};
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
      throw Error(ErrorKind::usage, where + ": not a run's configuration of format 1");
    check_config(j, where);
    c.command = command_from_json(j.at("command"), where);
    c.model = instance_from_json(j.at("model"));
    if (!j.at("data").is_null()) c.data = instance_from_json(j.at("data"));
    c.loader = j.at("loader");
    c.loader_given = j.value("loader_given", std::vector<std::string>{});
    c.weights = j.value("weights", json::object());
    c.callbacks = list_from_json(j.at("callbacks"));
    c.loggers = list_from_json(j.at("loggers"));
    c.optimizers = list_from_json(j.at("optimizers"));
    c.trainer = j.at("trainer");
    c.timed = j.value("timed", false);
    c.ckpt_path = optional_text(j.at("ckpt_path"));
    c.ckpt_run = optional_text(j.value("ckpt_run", json()));
    c.resume = optional_text(j.at("resume"));
    c.takes_saved_options = j.value("takes_saved_options", false);
    c.slurm_job = j.value("slurm_job", "");
    c.torchrun_job = j.value("torchrun_job", "");
    c.trust = j.at("trust").get<bool>();
    c.allow_plugin_changes = j.value("allow_plugin_changes", false);
    c.strict_resume = j.value("strict_resume", false);
    c.trace_hooks = j.value("trace_hooks", false);
    c.verbosity = j.value("verbosity", 0);
    c.debug_plugins = j.value("debug_plugins", false);
    c.plugin_dirs = j.at("plugins").get<std::vector<std::string>>();
    c.origins = j.at("origins").get<std::map<std::string, std::string>>();
    c.secrets = j.at("secrets").get<std::vector<std::string>>();
  } catch (const json::exception& e) {
    throw Error(ErrorKind::usage, where + ": not a run's configuration: " + brief_json_error(e.what()));
  }
  return c;
}

}  // namespace levin::core
