#include "lightning/optimizer_of_python.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/scalar_types.hpp"
#include "core/config/optim/optim_spec.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Options of Python's groups that do not affect a step, or that a schedule stores there.
constexpr const char* other_options[] = {
    "foreach",    "fused",  "capturable", "differentiable", "decoupled_weight_decay",
    "initial_lr", "max_lr", "min_lr",     "base_momentum",  "max_momentum",
    "name"};
// Options missing in files of older releases. The current values are kept.
constexpr const char* newer_options[] = {"maximize", "initial_accumulator_value", "decoupled_weight_decay"};

bool is_finite(const json& value) { return value.is_number() && std::isfinite(value.get<double>()); }

// Returns the saved value in the type of `own`.
json option_of(const std::string& name, const json& own, const json& saved) {
  const bool whole = saved.is_boolean() || saved == 0 || saved == 1;
  if (own.is_boolean() && whole) return truthy(saved);
  if (own.is_number() && is_finite(saved)) return saved;
  const ArrayOption* array = array_option(name);
  if (array != nullptr && array->takes(saved)) return saved;
  throw std::runtime_error("its option " + name + " is " + show(saved));
}

bool is_choice(const OptionSchema& option, const json& saved) {
  if (option.type != LEVIN_T_CHOICE) return false;
  if (saved.is_null()) return (option.flags & LEVIN_OPT_NULLABLE) != 0;
  return saved.is_string() && std::count(option.choices.begin(), option.choices.end(), saved.get<std::string>()) > 0;
}

json options_of(const std::string& id, const json& own, const json& saved) {
  json out = own;
  for (const OptionSchema& option : find_spec(optimizer_table(), id)->options) {
    const std::string& name = option.name;
    if (saved.contains(name))
      out[name] = is_choice(option, saved[name]) ? saved[name] : option_of(name, own.at(name), saved[name]);
    else if (!is_one_of(name, newer_options))
      throw std::runtime_error("it has no option " + name + ", so it is of another optimizer than '" + id + "'");
  }
  for (const auto& [name, value] : saved.items())
    if (!own.contains(name) && !is_one_of(name, other_options) && truthy(value))
      throw std::runtime_error("it has the option " + name + ", which '" + id + "' has not");
  const json decoupled = saved.value("decoupled_weight_decay", json());
  if (!own.contains("decoupled_weight_decay") && decoupled.is_boolean() && decoupled != (id == "adamw"))
    throw std::runtime_error(id == "adamw" ? "it is Adam's, and the run's is AdamW"
                                           : "it is AdamW's, and the run's is '" + id + "'");
  return out;
}

at::Tensor scalar_of(const StoredTensor& stored, const std::string& name) {
  if (!stored.shape.empty()) throw std::runtime_error(name + " is a tensor and not a number");
  const at::Tensor out = at::empty({}, scalar_type_of(stored.dtype, name));
  copy_dense(stored, out.data_ptr());
  return out;
}

at::Tensor slot_of(const StoredTensor& stored, const at::Tensor& parameter, const std::string& name) {
  const std::vector<int64_t> shape(stored.shape.begin(), stored.shape.end());
  if (parameter.sizes() != at::IntArrayRef(shape))
    throw std::runtime_error(name + " has the shape " + c10::str(at::IntArrayRef(shape)) + ", and its parameter has " +
                             c10::str(parameter.sizes()));
  const at::ScalarType type = scalar_type_of(stored.dtype, name);
  if (c10::isComplexType(type) != parameter.is_complex())
    throw std::runtime_error(name + " is of the type " + stored.dtype);
  at::Tensor out = at::empty(shape, type);
  copy_dense(stored, out.data_ptr());
  return out;
}

class Translation {
 public:
  Translation(Optimizer& optimizer, const PythonOptimizer& kind, const PythonOptimizerState& saved)
      : optimizer_(optimizer), kind_(kind), saved_(saved) {
    out_.values = optimizer.state_dict().values;
  }

  OptimizerState run(const std::map<int64_t, std::string>& names) {
    std::map<std::string, const PythonParamState*> states;
    for (const auto& [number, state] : saved_.params) states[names.at(number)] = &state;
    for (size_t g = 0; g < optimizer_.groups().size(); ++g) {
      read_options(g);
      read_states(g, states);
    }
    if (!states.empty())
      throw std::runtime_error("it has the state of '" + states.begin()->first + "', which it does not optimize here");
    return std::move(out_);
  }

 private:
  json& group(size_t g) { return out_.values["groups"][g]; }

  void read_options(size_t g) {
    const json& saved = saved_.groups[g].options;
    group(g)["options"] = options_of(optimizer_.id(), group(g)["options"], saved);
    if (!saved.contains("initial_lr")) return;
    group(g)["initial_lr"] = option_of("initial_lr", 0.0, saved["initial_lr"]);
  }

  void read_states(size_t g, std::map<std::string, const PythonParamState*>& states) {
    const ParamGroup& params = optimizer_.groups()[g];
    json steps = json::array();
    for (size_t p = 0; p < params.names.size(); ++p) {
      const auto found = states.find(params.names[p]);
      steps.push_back(found == states.end() ? 0 : found->second->steps.value_or(0));
      if (found == states.end()) continue;
      read_state(std::to_string(g) + "." + params.names[p] + ".", params.params[p], *found->second,
                 group(g)["options"]);
      states.erase(found);
    }
    group(g)["steps"] = std::move(steps);
  }

  void read_state(const std::string& key, const at::Tensor& parameter, const PythonParamState& state,
                  const json& options) {
    if (kind_.counts_steps && !state.steps) throw std::runtime_error("'" + key + "step' is missing");
    for (const auto& [name, stored] : state.slots) {
      const auto is_it = [slot = name](const PythonOptimizer::Slot& s) { return slot == s.name; };
      const auto slot = std::find_if(kind_.slots.begin(), kind_.slots.end(), is_it);
      const std::string place = "'" + key + name + "'";
      if (slot == kind_.slots.end())
        throw std::runtime_error("it has " + place + ", which '" + optimizer_.id() + "' does not keep");
      out_.tensors.emplace_back(key + name,
                                slot->scalar ? scalar_of(stored, place) : slot_of(stored, parameter, place));
    }
    for (const PythonOptimizer::Slot& slot : kind_.slots) {
      const bool needed = *slot.option == '\0' || truthy(options.at(slot.option));
      // SGD creates a missing buffer itself.
      if (needed && kind_.counts_steps && state.slots.count(slot.name) == 0)
        throw std::runtime_error("'" + key + slot.name + "' is missing");
    }
  }

  Optimizer& optimizer_;
  const PythonOptimizer& kind_;
  const PythonOptimizerState& saved_;
  OptimizerState out_;
};

}  // namespace

OptimizerState optimizer_of_python(Optimizer& optimizer, const PythonOptimizerState& saved, const NamesOfFile& names) {
  const PythonOptimizer* kind = python_optimizer(optimizer.id());
  if (kind == nullptr) throw std::runtime_error("the state of '" + optimizer.id() + "' is not Python's");
  return Translation(optimizer, *kind, saved).run(names_of_numbers(saved, optimizer.groups(), names));
}

}  // namespace levin::core
