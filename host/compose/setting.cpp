#include "host/compose/setting.hpp"

#include <algorithm>
#include <set>

#include "core/base/did_you_mean.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/trainer/trainer_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

const std::vector<std::string> groups = {"model",   "data",      "callback",       "logger",
                                         "trainer", "ckpt_path", "seed_everything"};

class ConfigReader {
 public:
  ConfigReader(const JsonDocument& document, const std::string& name, int rank, std::vector<Error>* errors)
      : document_(document), name_(name), rank_(rank), errors_(errors) {}

  std::vector<Setting> read() {
    if (!document_.value.is_object()) {
      attempt([this] { fail("", "a configuration is a JSON object"); });
      return {};
    }
    for (const auto& key : keys(document_.value, ""))
      if (key != "$schema") attempt([&] { top_level(key, document_.value.at(key)); });  // "$schema" is for editors
    return std::move(out_);
  }

 private:
  template <class F>
  void attempt(const F& read_part) {
    if (errors_ == nullptr) return read_part();
    try {
      read_part();
    } catch (const Error& error) {
      errors_->push_back(error);
    }
  }

  void top_level(const std::string& key, const json& value) {
    const std::string group = group_of(key);
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) {
      fail(key, "no such key '" + key + "'" + meant(key));
    }
    if (key != group) return add(key, value, key);
    if (key == "seed_everything") return add("trainer.seed_everything", value, key);
    if (key == "ckpt_path") return add(key, value, key);
    if (key == "trainer") return trainer(value);
    if (key == "model" || key == "data") return component(key, value, key);
    instances(key, value);
  }

  // Suggests a key. The most frequent mistake is a Trainer option at the top level.
  static std::string meant(const std::string& key) {
    if (find_trainer_option(key) != nullptr) return did_you_mean_one_of({"trainer." + key});
    std::vector<std::string> known = groups;
    for (const char* of_file : {"include", "profiles"}) {  // read before
      if (key == of_file) return "; it stands at the top of a file, not in a profile";
      known.emplace_back(of_file);
    }
    // A misspelt option of the Trainer is suggested if no key is as near.
    std::vector<std::string> options;
    for (const TrainerOption& option : trainer_options()) options.push_back(option.schema.name);
    const auto option = nearest(key, options), near = nearest(key, known);
    if (option && (!near || edit_distance(key, *option) < edit_distance(key, *near)))
      return did_you_mean_one_of({"trainer." + *option});
    return did_you_mean(key, known);
  }

  void trainer(const json& value) {
    if (value.is_null()) return;  // all of its lines are comments
    if (!value.is_object()) fail("trainer", "'trainer' is an object of options");
    for (const auto& name : keys(value, "trainer"))
      attempt([&] { add("trainer." + name, value.at(name), "trainer/" + name); });
  }

  void instances(const std::string& group, const json& value) {
    if (group == "logger" && value.is_boolean()) return add("trainer.logger", value, group);
    if (value.is_string()) return add(group, value, group);
    if (value.is_null()) return;
    if (!value.is_object())
      fail(group, "'" + group + "' is an object of instances, {\"NAME\": {\"component\": \"ID\"}}");
    for (const auto& name : keys(value, group)) attempt([&] { named_instance(group, name, value.at(name)); });
  }

  // The name may also be a component's full name: "org.example:best" creates an instance "best" of that component.
  void named_instance(const std::string& group, const std::string& name, const json& value) {
    const std::string path = group + "/" + name;
    const size_t colon = name.rfind(':');
    if (colon == std::string::npos) return component(group + "." + name, value, path);
    const bool has_component = value.is_string() || (value.is_object() && value.contains("component"));
    if (has_component) fail(path, "'" + name + "' names a component already; leave one of them out");
    const std::string key = group + "." + name.substr(colon + 1);
    if (value.is_object()) add(key, name, path);
    component(key, value, path);
  }

  // Reads {"component": "x", options...}. Without "component", the name of the instance is the name of its component.
  void component(const std::string& key, const json& value, const std::string& path) {
    const bool instance = key.find('.') != std::string::npos;
    if (value.is_string() || (value.is_null() && key == "data")) return add(key, value, path);
    if (instance && (value.is_boolean() || value.is_null())) return add(key, value == true, path);
    if (!value.is_object())
      fail(path, "'" + key + "' is the name of a component or an object with \"component\" and options");
    const auto written = value.find("component");
    if (written != value.end()) add(key, *written, path + "/component");
    if (written == value.end() && instance && !seen_.count(key)) add(key, nullptr, path);
    for (const auto& name : keys(value, path)) {
      if (name != "component") attempt([&] { add(key + "." + name, value.at(name), path + "/" + name); });
    }
  }

  // Returns the keys of the object in file order.
  std::vector<std::string> keys(const json& object, const std::string& path) const {
    std::vector<std::pair<int, std::string>> ordered;
    for (const auto& [key, value] : object.items())
      ordered.emplace_back(document_.place(path.empty() ? key : path + "/" + key).order, key);
    std::sort(ordered.begin(), ordered.end());
    std::vector<std::string> out;
    for (auto& [order, key] : ordered) out.push_back(std::move(key));
    return out;
  }

  std::string origin(const std::string& path) const { return document_.place_text(name_, path); }
  void add(const std::string& key, json value, const std::string& path) {
    if (!seen_.insert(key).second) fail(path, "'" + key + "' is given twice");
    out_.push_back({key, std::move(value), origin(path), rank_});
  }
  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw Error(ErrorCode::file_content_invalid, origin(path) + ": " + what);
  }

  const JsonDocument& document_;
  const std::string& name_;
  int rank_;
  std::vector<Error>* errors_;
  std::vector<Setting> out_;
  std::set<std::string> seen_;
};

}  // namespace

std::string group_of(const std::string& key) { return key.substr(0, key.find('.')); }

std::string after_group(const std::string& key) {
  const size_t dot = key.find('.');
  return dot == std::string::npos ? "" : key.substr(dot + 1);
}

std::vector<Setting> settings_from_config(const JsonDocument& document, const std::string& name, int rank,
                                          std::vector<Error>* errors) {
  return ConfigReader(document, name, rank, errors).read();
}

std::vector<Setting> settings_from_defaults(const json& defaults, const std::string& component) {
  std::vector<Setting> out;
  for (const auto& [key, value] : defaults.items()) {
    if (key != "model" && key != "data") out.push_back({key, value, "recommended by " + component, rank_component});
  }
  return out;
}

std::vector<Setting> settings_from_environment(const std::map<std::string, std::string>& environment,
                                               const std::vector<std::string>& options,
                                               std::vector<std::string>& unknown) {
  std::vector<Setting> out;
  for (const std::string prefix : {"PL_TRAINER_", environment_prefix}) {  // LEVIN_TRAINER_ comes last and overrides
    for (const auto& [variable, value] : environment) {
      if (!starts_with(variable, prefix) || value.empty()) continue;
      const std::string name = lower(variable.substr(prefix.size()));
      const bool known = std::find(options.begin(), options.end(), name) != options.end();
      if (known) out.push_back({"trainer." + name, value, variable, rank_environment});
      if (!known && prefix == environment_prefix) unknown.push_back(variable);
    }
  }
  return out;
}

}  // namespace levin::core
