#include "runs/run_options.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace levin::core {
namespace {

using nlohmann::json;

std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string text_in(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

class RunOptions {
 public:
  explicit RunOptions(const json& config) : config_(config) {
    add_component("model", object("model"));
    add_options("model.", object("weights"));
    add_component("data", object("data"));
    add_options("data.", object("loader"));
    add_options("trainer.", object("trainer"));
    for (const auto& [list, group] : {std::pair("callbacks", "callback"), std::pair("loggers", "logger")}) {
      const auto found = config_.find(list);
      if (found == config_.end() || !found->is_array()) continue;
      for (const json& one : *found)
        if (one.is_object()) add_component(group + ("." + text_in(one, "name")), one);
    }
  }
  std::vector<RunOption> take() && { return std::move(out_); }

 private:
  const json& object(const char* key) const {
    static const json none = json::object();
    const auto found = config_.find(key);
    return found != config_.end() && found->is_object() ? *found : none;
  }

  void add(const std::string& name, const std::string& value) {
    const json& origins = object("origins");
    out_.push_back({name, value, text_in(origins, name.c_str())});
  }
  void add_options(const std::string& prefix, const json& options) {
    for (const auto& [name, value] : options.items()) add(prefix + name, text_of(value));
  }
  void add_component(const std::string& name, const json& component) {
    if (component.empty()) return;
    add(name, text_in(component, "component"));
    const auto options = component.find("options");
    if (options != component.end() && options->is_object()) add_options(name + ".", *options);
  }

  const json& config_;
  std::vector<RunOption> out_;
};

}  // namespace

std::vector<RunOption> options_of(const json& config) {
  return config.is_object() ? RunOptions(config).take() : std::vector<RunOption>();
}

std::string value_of(const std::vector<RunOption>& options, const std::string& name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&name](const RunOption& one) { return one.name == name; });
  return found == options.end() ? "" : found->value;
}

std::vector<std::string> different_options(const std::vector<std::vector<RunOption>>& runs) {
  struct Known {
    std::string value;  // of the first run that has it
    size_t runs = 0;
    bool differs = false;
  };
  std::unordered_map<std::string, Known> known;
  std::vector<std::string> names, out;
  for (const auto& run : runs)
    for (const RunOption& one : run) {
      const auto [at, is_new] = known.try_emplace(one.name, Known{one.value});
      if (is_new) names.push_back(one.name);
      ++at->second.runs;
      if (at->second.value != one.value) at->second.differs = true;
    }
  for (const std::string& name : names) {
    const Known& one = known.at(name);
    if (one.differs || (one.runs < runs.size() && !one.value.empty())) out.push_back(name);
  }
  return out;
}

}  // namespace levin::core
