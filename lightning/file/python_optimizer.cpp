#include "lightning/file/python_optimizer.hpp"

#include <cmath>
#include <set>

#include "core/base/json.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr int64_t most_steps = int64_t{1} << 53;

class Reader {
 public:
  Reader(const LightningCheckpoint& file, const TorchTree& tree, std::string place)
      : file_(file), tree_(tree), place_(std::move(place)) {}

  PythonOptimizerState read(const json& state) {
    if (!state.is_object() || !state.value("param_groups", json()).is_array())
      fail("", "is no state of an optimizer: it has no param_groups");
    for (const json& group : state["param_groups"]) out_.groups.push_back(read_group(group));
    const json params = state.value("state", json());
    if (!params.is_object()) fail("state", "is no dict of parameters");
    for (const auto& [number, values] : params.items()) read_param(number, values);
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    file_.fail("optimizer_states/" + place_ + (where.empty() ? " " : "/" + where + " ") + what);
  }

  PythonGroup read_group(const json& group) {
    const std::string where = "param_groups/" + std::to_string(out_.groups.size());
    if (!group.is_object() || !group.value("params", json()).is_array()) fail(where, "has no params");
    PythonGroup out;
    for (const json& number : group["params"]) {
      if (!number.is_number_integer() || number < 0 || !numbers_.insert(std::to_string(number.get<int64_t>())).second)
        fail(where + "/params", "has " + show(number) + ", which is not a number of a parameter or is there twice");
      out.params.push_back(number.get<int64_t>());
    }
    read_names(group, where, out);
    out.options = group;
    for (const char* name : {"params", "param_names"}) out.options.erase(name);
    for (auto& [name, value] : out.options.items())  // a learning rate may be a tensor
      if (value.is_null() && tree_.tensors.count(place_ + "/" + where + "/" + name) != 0)
        value = file_.number(tree_, place_ + "/" + where + "/" + name);
    return out;
  }

  void read_names(const json& group, const std::string& where, PythonGroup& out) {
    const json names = group.value("param_names", json());
    if (names.is_null()) return;
    if (!names.is_array() || names.size() != out.params.size()) fail(where + "/param_names", "are not those of params");
    for (const json& name : names) {
      if (!name.is_string()) fail(where + "/param_names", "has " + show(name) + ", which is not a name");
      out.param_names.push_back(name.get<std::string>());
    }
  }

  void read_param(const std::string& number, const json& values) {
    const std::string where = "state/" + number;
    if (!values.is_object()) fail(where, "is no dict");
    if (numbers_.count(number) == 0) fail(where, "is the state of a parameter that no group has");
    PythonParamState& out = out_.params[std::stoll(number)];
    for (const auto& [name, value] : values.items()) {
      const std::string place = place_ + "/" + where + "/" + name;
      const auto tensor = tree_.tensors.find(place);
      if (name == "step")
        out.steps = steps(place);
      else if (tensor != tree_.tensors.end())
        out.slots[name] = file_.tensor(tensor->second, "optimizer_states/" + place);
      else if (!value.is_null())
        fail(where + "/" + name, "is " + show(value) + ", and no tensor");
    }
  }

  int64_t steps(const std::string& place) const {
    const double n = file_.number(tree_, place);
    if (!(n >= 0 && n <= static_cast<double>(most_steps)) || n != std::floor(n))
      file_.fail("optimizer_states/" + place + " is " + show(number_to_json(n)) + ", which is not a count of steps");
    return static_cast<int64_t>(n);
  }

  const LightningCheckpoint& file_;
  const TorchTree& tree_;
  std::string place_;
  std::set<std::string> numbers_;
  PythonOptimizerState out_;
};

}  // namespace

std::vector<PythonOptimizerState> optimizer_states(const LightningCheckpoint& file) {
  const TorchTree tree = file.part("optimizer_states");
  std::vector<PythonOptimizerState> out;
  for (const json& state : tree.values) out.push_back(Reader(file, tree, std::to_string(out.size())).read(state));
  return out;
}

const PythonOptimizer* python_optimizer(const std::string& id) {
  const std::vector<PythonOptimizer::Slot> adam = {{"exp_avg", ""}, {"exp_avg_sq", ""}, {"max_exp_avg_sq", "amsgrad"}};
  static const std::vector<PythonOptimizer> all = {
      {"adam", true, adam},
      {"adamw", true, adam},
      {"sgd", false, {{"momentum_buffer", "momentum"}}},
      {"adagrad", true, {{"sum", ""}}},
      {"rmsprop", true, {{"square_avg", ""}, {"momentum_buffer", "momentum"}, {"grad_avg", "centered"}}},
      {"nadam", true, {{"exp_avg", ""}, {"exp_avg_sq", ""}, {"mu_product", "", true}}},
      {"radam", true, {{"exp_avg", ""}, {"exp_avg_sq", ""}}},
      {"adamax", true, {{"exp_avg", ""}, {"exp_inf", ""}}},
      {"adadelta", true, {{"square_avg", ""}, {"acc_delta", ""}}},
      {"asgd", true, {{"ax", ""}, {"eta", "", true}, {"mu", "", true}}},
      {"rprop", true, {{"prev", ""}, {"step_size", ""}}},
      {"lion", false, {{"exp_avg", ""}}},
      {"muon", false, {{"momentum_buffer", ""}}}};
  for (const PythonOptimizer& optimizer : all)
    if (id == optimizer.id) return &optimizer;
  return nullptr;
}

}  // namespace levin::core
