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

// The only list of the built-in optimizers on this side of the ABI.
const std::vector<OptimizerSpec>& specs() {
  static const std::vector<OptimizerSpec> all = {sgd_spec(),     adam_spec(),    adamw_spec(),
                                                 adagrad_spec(), rmsprop_spec(), lbfgs_spec()};
  return all;
}

}  // namespace

std::vector<std::string> optimizer_ids() {
  std::vector<std::string> ids;
  for (const auto& spec : specs()) ids.push_back(spec.id);
  return ids;
}

const OptimizerSpec* find_optimizer(const std::string& name) {
  for (const auto& spec : specs()) {
    if (name == spec.id || name == spec.class_name) return &spec;
  }
  return nullptr;
}

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const nlohmann::json& options,
                                          std::vector<ParamGroup> groups) {
  const OptimizerSpec* spec = find_optimizer(name);
  if (spec == nullptr) throw Error(ErrorKind::usage, unknown_name("there is no optimizer", name, optimizer_ids()));
  auto optimizer = spec->make(*spec, options.is_null() ? nlohmann::json::object() : options);
  for (auto& group : groups) optimizer->add_group(std::move(group));
  return optimizer;
}

}  // namespace levin::core
