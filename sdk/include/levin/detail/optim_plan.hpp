// levin::OptimPlan: the argument of configure_optimizers, which collects optimizers and schedules.
#pragma once
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

#include "levin/run.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// One option of an optimizer or scheduler: {"lr", 0.1}, {"nesterov", true}, {"betas", {0.9, 0.99}}.
class Setting {
 public:
  Setting(const char* key, double value) : json_(quote(key) + ':' + number(value)) {}
  Setting(const char* key, int value) : Setting(key, static_cast<int64_t>(value)) {}
  Setting(const char* key, int64_t value) : json_(quote(key) + ':' + std::to_string(value)) {}
  Setting(const char* key, bool value) : json_(quote(key) + ':' + (value ? "true" : "false")) {}
  Setting(const char* key, const char* value) : json_(quote(key) + ':' + quote(value)) {}
  Setting(const char* key, const std::string& value) : Setting(key, value.c_str()) {}
  Setting(const char* key, std::initializer_list<double> values) : Setting(key, std::vector<double>(values)) {}
  Setting(const char* key, const std::vector<double>& values) : json_(quote(key) + ":[") {
    for (double value : values) json_ += number(value) + ',';
    if (values.size()) json_.pop_back();
    json_ += ']';
  }
  const std::string& json() const { return json_; }

 private:
  static std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }
  static std::string quote(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + '"';
  }
  std::string json_;
};

// Returns the settings as the text of a JSON object. `more`: the text of another JSON object, whose members take
// precedence.
inline std::string settings(const std::vector<Setting>& list, const std::string& more = "{}") {
  std::string out = "{";
  for (const Setting& setting : list) out += setting.json() + ',';
  const size_t open = more.find('{'), close = more.rfind('}');
  if (open != std::string::npos && close > open) {
    const std::string inner = more.substr(open + 1, close - open - 1);
    if (inner.find_first_not_of(" \t\n\r") != std::string::npos) out += inner + ',';
  }
  if (out.back() == ',') out.pop_back();
  return out + '}';
}

struct ParameterGroup {
  std::string name;
  std::vector<std::string> globs;  // of parameter names; empty = all parameters that are in no earlier group
  std::vector<Setting> options;
};
enum class Interval { step, epoch };  // when the trainer steps a schedule

// Borrowed for the call of configure_optimizers. Each function throws Error if the host refuses the arguments.
class OptimPlan {
 public:
  OptimPlan(const detail::Services* services, const levin_optim_plan* raw) : services_(services), raw_(raw) {}

  // Adds an optimizer and returns its index, counted from 0. name: "adamw", or the id of a plugin's component. Without
  // groups it gets all parameters. frequency: with several optimizers, the number of consecutive batches in which only
  // this one is stepped.
  uint32_t optimizer(const std::string& name, const std::vector<Setting>& options,
                     const std::vector<ParameterGroup>& groups = {}, int64_t frequency = 0) const {
    return optimizer_json(name, settings(options), groups, frequency);
  }
  uint32_t optimizer_json(const std::string& name, const std::string& json,
                          const std::vector<ParameterGroup>& groups = {}, int64_t frequency = 0) const {
    std::vector<std::vector<const char*>> globs;
    std::vector<std::string> texts;
    std::vector<levin_group_desc> raw;
    std::vector<const levin_group_desc*> pointers;
    globs.reserve(groups.size()), texts.reserve(groups.size()), raw.reserve(groups.size());
    for (const ParameterGroup& group : groups) {
      globs.emplace_back();
      for (const std::string& glob : group.globs) globs.back().push_back(glob.c_str());
      texts.push_back(settings(group.options));
      raw.push_back({sizeof(levin_group_desc), static_cast<uint32_t>(group.globs.size()), group.name.c_str(),
                     globs.back().empty() ? nullptr : globs.back().data(), texts.back().c_str()});
      pointers.push_back(&raw.back());
    }
    const levin_optimizer_desc desc = {sizeof desc,  static_cast<uint32_t>(pointers.size()),       name.c_str(),
                                       json.c_str(), pointers.empty() ? nullptr : pointers.data(), frequency};
    uint32_t index = 0;
    detail::check(raw_->add_optimizer(raw_, &desc, &index), name.c_str());
    return index;
  }

  // Adds a schedule of an optimizer and returns its index. monitor: the metric for "reduce_on_plateau".
  uint32_t scheduler(const std::string& name, const std::vector<Setting>& options, Interval interval = Interval::epoch,
                     uint32_t optimizer = 0, const std::string& monitor = "") const {
    return scheduler_json(name, settings(options), interval, optimizer, monitor);
  }
  uint32_t scheduler_json(const std::string& name, const std::string& json, Interval interval = Interval::epoch,
                          uint32_t optimizer = 0, const std::string& monitor = "") const {
    levin_scheduler_desc desc{};
    desc.size = sizeof desc;
    desc.optimizer = optimizer;
    desc.name = name.c_str();
    desc.options_json = json.c_str();
    desc.interval = interval == Interval::step ? "step" : "epoch";
    desc.monitor = monitor.empty() ? nullptr : monitor.c_str();
    desc.strict = 1;
    return add(desc);
  }
  uint32_t add(const levin_scheduler_desc& desc) const {
    uint32_t index = 0;
    detail::check(raw_->add_scheduler(raw_, &desc, &index), desc.name);
    return index;
  }

  // Returns the number of optimizer steps of the whole fit, for schedules. Throws Error if it is not bounded.
  int64_t total_steps() const {
    const double steps = Run(services_, raw_->run).number("estimated_stepping_batches");
    if (steps < 1e18) return static_cast<int64_t>(steps);
    throw Error(LEVIN_E_STATE, "the number of optimizer steps is not bounded: give trainer.max_epochs or max_steps");
  }
  Run run() const { return Run(services_, raw_->run); }

 private:
  const detail::Services* services_;
  const levin_optim_plan* raw_;
};

}  // namespace levin
#pragma GCC visibility pop
