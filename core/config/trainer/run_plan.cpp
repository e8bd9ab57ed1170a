#include "core/config/trainer/run_plan.hpp"

#include "core/config/trainer/trainer_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

void set_all(RunPlan& plan, const json& trainer) {
  for (const auto& option : trainer_options()) {
    if (!option.set) continue;
    const auto given = trainer.find(option.schema.name);
    const json& value = given == trainer.end() ? option.schema.deflt : *given;
    option.set(plan, value.is_null() ? option.null_means : value);
  }
}

bool is_given(const json& trainer, const char* name) {
  const auto found = trainer.find(name);
  return found != trainer.end() && !found->is_null();
}

}  // namespace

RunPlan::RunPlan() { set_all(*this, json::object()); }

RunPlan make_run_plan(const json& trainer, bool timed) {
  RunPlan plan;
  set_all(plan, trainer);
  const bool other_end = plan.duration.max_steps >= 0 || timed;
  plan.duration.max_epochs_by_default = !is_given(trainer, "max_epochs") && !other_end;
  if (!is_given(trainer, "max_epochs") && other_end) plan.duration.max_epochs = -1;
  if (!is_given(trainer, "min_epochs") && plan.duration.min_steps > 0) plan.duration.min_epochs = 1;
  return plan;
}

}  // namespace levin::core
