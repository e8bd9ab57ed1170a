#include "core/optim/optimizers/optimizer_registry.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/optim/optimizers/adagrad.hpp"
#include "core/optim/optimizers/adam.hpp"
#include "core/optim/optimizers/lbfgs.hpp"
#include "core/optim/optimizers/rmsprop.hpp"
#include "core/optim/optimizers/sgd.hpp"

namespace levin::core {

const std::vector<OptimizerSpec>& optimizer_specs() {
  static const std::vector<OptimizerSpec> specs{sgd_spec(),     adam_spec(),    adamw_spec(),
                                                adagrad_spec(), rmsprop_spec(), lbfgs_spec()};
  return specs;
}

const OptimizerSpec* find_optimizer(const std::string& name) {
  for (const auto& spec : optimizer_specs()) {
    if (name == spec.id || name == spec.class_name) return &spec;
  }
  return nullptr;
}

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const nlohmann::json& options,
                                          std::vector<ParamGroup> groups) {
  const OptimizerSpec* spec = find_optimizer(name);
  if (spec == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : optimizer_specs()) names.push_back(known.id);
    throw Error(ErrorKind::usage, "there is no optimizer '" + name + "'" + known_names(name, names));
  }
  auto optimizer = spec->make(*spec, options.is_null() ? nlohmann::json::object() : options);
  for (auto& group : groups) optimizer->add_group(std::move(group));
  return optimizer;
}

}  // namespace levin::core
