#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/optim/optimizers/builtin_optimizer.hpp"

namespace levin::core {
namespace {

const struct {
  const char* id;  // as in the optimizer table
  MakeOptimizer* make;
} makers[] = {{"sgd", make_sgd},         {"adam", make_adam},         {"adamw", make_adamw}, {"adagrad", make_adagrad},
              {"rmsprop", make_rmsprop}, {"lbfgs", make_lbfgs},       {"nadam", make_nadam}, {"radam", make_radam},
              {"adamax", make_adamax},   {"adadelta", make_adadelta}, {"asgd", make_asgd},   {"rprop", make_rprop},
              {"lamb", make_lamb},       {"lion", make_lion},         {"muon", make_muon}};

MakeOptimizer* maker_of(const OptimSpec& spec) {
  for (const auto& maker : makers)
    if (spec.id == maker.id) return maker.make;
  throw Error(ErrorCode::internal_error, "the optimizer '" + spec.id + "' of the table has no class");
}

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const nlohmann::json& options,
                                          std::vector<ParamGroup> groups) {
  const OptimSpec* spec = find_spec(optimizer_table(), name);
  if (spec == nullptr)
    throw Error(ErrorCode::component_unknown, unknown_name("there is no optimizer", name, spec_ids(optimizer_table())));
  auto optimizer = maker_of(*spec)(*spec, options.is_null() ? nlohmann::json::object() : options);
  for (auto& group : groups) optimizer->add_group(std::move(group));
  return optimizer;
}

}  // namespace levin::core
