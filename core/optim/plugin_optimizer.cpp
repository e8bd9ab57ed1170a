#include "core/optim/plugin_optimizer.hpp"

#include <ATen/core/grad_mode.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/components/arguments.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

class PluginOptimizer : public Optimizer {
 public:
  PluginOptimizer(Created created, nlohmann::json options)
      : Optimizer(created.origin.schema->id, created.origin.schema->id),
        component_(created.origin, created.table, created.self),
        table_(*reinterpret_cast<const levin_optimizer*>(created.table)),
        options_(std::move(options)) {
    const levin_optimizer* t = &table_;
    if (!LEVIN_HAS(levin_optimizer, t, add_group) || !LEVIN_HAS(levin_optimizer, t, step) ||
        !LEVIN_HAS(levin_optimizer, t, set) || !LEVIN_HAS(levin_optimizer, t, get) ||
        !LEVIN_HAS(levin_optimizer, t, visit))
      throw Error(ErrorCode::plugin_lacks_function, component_.plugin() + ": optimizer '" + component_.schema().id +
                                                        "' needs the functions add_group, step, set, get and visit");
  }
  bool has(const std::string& option) const override {
    for (const OptionSchema& o : component_.schema().options)
      if (o.name == option) return true;
    return false;
  }
  double get(size_t group, const std::string& option) const override {
    check_number(option);
    double value = 0;
    component_.invoke(
        "get", [&] { return table_.get(component_.self(), static_cast<uint32_t>(group), option.c_str(), &value); });
    return value;
  }
  void set(size_t group, const std::string& option, double value) override {
    check_number(option);
    component_.invoke(
        "set", [&] { return table_.set(component_.self(), static_cast<uint32_t>(group), option.c_str(), value); });
  }
  void visit_state(const StateVisitor& visit) override {
    levin_visitor visitor{};
    visitor.size = sizeof visitor;
    const StateVisitor with_group = [&](const std::string& name, at::Tensor& tensor) { visit(key_of(name), tensor); };
    visitor.ctx = const_cast<StateVisitor*>(&with_group);
    visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor* tensor, uint32_t) {
      return serve([&] {
        at::Tensor t = retain(tensor);
        (*static_cast<const StateVisitor*>(v->ctx))(name, t);
      });
    };
    component_.invoke("visit", [&] { return table_.visit(component_.self(), &visitor); });
  }

 protected:
  void on_group_added() override {
    const ParamGroup& group = groups().back();
    std::vector<levin_tensor*> params;
    std::vector<const char*> names;
    for (const at::Tensor& p : group.params) params.push_back(borrow(p));
    for (const std::string& n : group.names) names.push_back(n.c_str());
    nlohmann::json merged = options_;
    merged.update(group.options);
    const Arguments arguments(component_.schema().options, resolve_options(component_.schema().options, merged, id()));
    uint32_t index = 0;
    component_.invoke("add_group", [&] {
      return table_.add_group(component_.self(), params.data(), names.data(), static_cast<uint32_t>(params.size()),
                              arguments.raw(), &index);
    });
    for (const std::string& n : group.names) group_of_[n] = groups().size() - 1;
  }
  void do_step() override {
    component_.invoke("step", [&] { return table_.step(component_.self(), nullptr, nullptr, nullptr); });
  }
  nlohmann::json group_values(size_t group) const override {
    nlohmann::json values = nlohmann::json::object();
    for (const OptionSchema& o : component_.schema().options)
      if (is_number(o)) values[o.name] = get(group, o.name);
    return values;
  }
  void load_group_values(size_t group, const nlohmann::json& values) override {
    for (const OptionSchema& o : component_.schema().options) {
      const auto saved = values.find(o.name);
      if (!is_number(o) || saved == values.end()) continue;
      set(group, o.name, saved->is_null() ? std::nan("") : saved->get<double>());  // JSON has no NaN
    }
  }
  bool load_tensor(size_t group, size_t param, const std::string& slot, const at::Tensor& value) override {
    bool found = false;
    const std::string key = state_key(group, param, slot.c_str());
    visit_state([&](const std::string& name, at::Tensor& tensor) {
      if (name != key) return;
      if (tensor.sizes() != value.sizes())
        throw Error(ErrorCode::checkpoint_state_refused, "optimizer '" + id() + "': the saved '" + key +
                                                             "' has the shape " + c10::str(value.sizes()) +
                                                             ", and here it is " + c10::str(tensor.sizes()));
      tensor.copy_(value);
      found = true;
    });
    return found;
  }

 private:
  static bool is_number(const OptionSchema& o) {
    return o.type == LEVIN_T_FLOAT || o.type == LEVIN_T_INT || o.type == LEVIN_T_BOOL;
  }
  void check_number(const std::string& option) const {
    const auto& options = component_.schema().options;
    const auto fits = [&](const OptionSchema& o) { return o.name == option && is_number(o); };
    if (std::any_of(options.begin(), options.end(), fits)) return;
    std::vector<std::string> numbers;
    for (const OptionSchema& o : options)
      if (is_number(o)) numbers.push_back(o.name);
    throw Error(ErrorCode::optimizer_misconfigured,
                "optimizer '" + id() + "' has no numeric option '" + option + "'" + did_you_mean(option, numbers));
  }
  // Prepends the parameter's group: "in.weight.momentum_buffer" -> "0.in.weight.momentum_buffer".
  std::string key_of(const std::string& name) const {
    const auto group = group_of_.find(name.substr(0, std::min(name.size(), name.rfind('.'))));
    if (group != group_of_.end()) return std::to_string(group->second) + "." + name;
    throw Error(ErrorCode::plugin_answer_invalid,
                component_.plugin() + ": optimizer '" + id() + "' visits the state '" + name +
                    "', which is not PARAMETER.NAME of a parameter that it was given");
  }

  Component component_;
  const levin_optimizer& table_;
  nlohmann::json options_;
  std::unordered_map<std::string, size_t> group_of_;  // the parameter's group, by the parameter's name
};

}  // namespace

std::unique_ptr<Optimizer> make_plugin_optimizer(PluginSet& plugins, const ComponentConfig& config,
                                                 const nlohmann::json& options, std::vector<ParamGroup> groups) {
  ComponentConfig resolved = config;
  resolved.options = resolve_options(plugins.schema(config, LEVIN_KIND_OPTIMIZER).options, options,
                                     "optimizer '" + config.component + "'");
  auto made =
      std::make_unique<PluginOptimizer>(plugins.create(resolved, LEVIN_KIND_OPTIMIZER, LEVIN_STAGE_FIT), options);
  for (ParamGroup& group : groups) made->add_group(std::move(group));
  return made;
}

}  // namespace levin::core
