#include "core/config/trainer/run_plan.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/config/trainer/trainer_rules.hpp"

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

uint64_t checked_seed(const json& given, const std::string& where) {
  const json checked = trainer_rules::seed(given);
  if (checked.is_number()) return checked.get<uint64_t>();
  throw Error(ErrorKind::usage, where + " is " + show(given) + "; it has to be a number in [0, 4294967295]");
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

uint64_t chosen_seed(const json& given) {
  const char* environment = ::getenv("LEVIN_GLOBAL_SEED");
  if (!given.is_null()) return checked_seed(given, "the seed");
  return environment ? checked_seed(environment, "the seed of the environment, LEVIN_GLOBAL_SEED,") : 0;
}

void announce_seed(uint64_t seed) {
  ::setenv("LEVIN_GLOBAL_SEED", std::to_string(seed).c_str(), 1);
  ::setenv("LEVIN_SEED_WORKERS", "0", 1);  // data loader workers are not seeded separately
}

}  // namespace levin::core
