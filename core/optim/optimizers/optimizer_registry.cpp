#include "core/optim/optimizers/optimizer_registry.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/optim/optimizers/adagrad.hpp"
#include "core/optim/optimizers/adam.hpp"
#include "core/optim/optimizers/lbfgs.hpp"
#include "core/optim/optimizers/rmsprop.hpp"
#include "core/optim/optimizers/sgd.hpp"

namespace levin::core {
namespace {

struct Builtin {
  OptimizerSpec spec;
  std::unique_ptr<Optimizer> (*make)(const OptimizerSpec&, const nlohmann::json&);
};

const std::vector<Builtin>& builtins() {
  static const std::vector<Builtin> all = {{sgd_spec(), make_sgd},         {adam_spec(), make_adam},
                                           {adamw_spec(), make_adamw},     {adagrad_spec(), make_adagrad},
                                           {rmsprop_spec(), make_rmsprop}, {lbfgs_spec(), make_lbfgs}};
  return all;
}

const Builtin* find_builtin(const std::string& name) {
  for (const auto& builtin : builtins()) {
    if (name == builtin.spec.id || name == builtin.spec.class_name) return &builtin;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> optimizer_ids() {
  std::vector<std::string> ids;
  for (const auto& builtin : builtins()) ids.push_back(builtin.spec.id);
  return ids;
}

const OptimizerSpec* find_optimizer(const std::string& name) {
  const Builtin* builtin = find_builtin(name);
  return builtin == nullptr ? nullptr : &builtin->spec;
}

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const nlohmann::json& options,
                                          std::vector<ParamGroup> groups) {
  const Builtin* builtin = find_builtin(name);
  if (builtin == nullptr) throw Error(ErrorKind::usage, unknown_name("there is no optimizer", name, optimizer_ids()));
  auto optimizer = builtin->make(builtin->spec, options.is_null() ? nlohmann::json::object() : options);
  for (auto& group : groups) optimizer->add_group(std::move(group));
  return optimizer;
}

}  // namespace levin::core
