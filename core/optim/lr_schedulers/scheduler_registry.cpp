#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

const std::vector<SchedulerKind>& kinds() {
  static const std::vector<SchedulerKind> all = [] {
    std::vector<SchedulerKind> joined;
    for (const auto family : {formula_schedulers, cosine_schedulers, cycle_schedulers, function_schedulers,
                              plateau_schedulers, nested_schedulers}) {
      for (const auto& kind : family()) joined.push_back(kind);
    }
    return joined;
  }();
  return all;
}

const SchedulerKind& kind_of(const OptimSpec& spec) {
  for (const auto& kind : kinds())
    if (spec.id == kind.id) return kind;
  throw Error(ErrorCode::internal_error, "the schedule '" + spec.id + "' of the table has no class");
}

// Rejects options that are functions in Python's classes and so cannot be given as text.
void refuse_functions(const OptimSpec& spec, const nlohmann::json& given) {
  if (spec.id != "cyclic" || !given.is_object()) return;
  for (const char* name : {"scale_fn", "scale_mode"}) {
    if (!given.contains(name)) continue;
    throw Error(ErrorCode::scheduler_misconfigured,
                std::string("schedule 'cyclic': there is no '") + name +
                    "', as a function cannot be given here; set mode to triangular, triangular2 or "
                    "exp_range, or use the schedule 'lambda' with a function of the model");
  }
}

}  // namespace

std::unique_ptr<LrScheduler> make_scheduler(const std::string& name, const nlohmann::json& options, LrTarget& target,
                                            const SchedulerContext& context) {
  const OptimSpec* spec = find_spec(schedule_table(), name);
  if (spec == nullptr)
    throw Error(ErrorCode::component_unknown,
                unknown_name("there is no learning-rate schedule", name, spec_ids(schedule_table())));
  const nlohmann::json given = options.is_null() ? nlohmann::json::object() : options;
  refuse_functions(*spec, given);
  const auto values = resolve_options(spec->options, given, "schedule '" + spec->id + "'");
  auto scheduler = kind_of(*spec).make({values, target, context});
  scheduler->set_names(spec->id, spec->class_name);
  scheduler->set_options(values);
  scheduler->start();
  return scheduler;
}

}  // namespace levin::core
