#include "core/optim/lr_schedulers/scheduler_registry.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option_values.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

const std::vector<SchedulerKind>& kinds() {
  static const std::vector<SchedulerKind> all = [] {
    std::vector<SchedulerKind> joined;
    for (const auto family :
         {decay_schedulers, ramp_schedulers, cosine_schedulers, one_cycle_schedulers, cyclic_schedulers,
          function_schedulers, plateau_schedulers, composed_schedulers, warmup_schedulers}) {
      for (auto& kind : family()) joined.push_back(std::move(kind));
    }
    return joined;
  }();
  return all;
}

const SchedulerKind* find(const std::string& name) {
  for (const auto& kind : kinds()) {
    if (name == kind.spec.id || name == kind.spec.class_name) return &kind;
  }
  return nullptr;
}

// Refuses options that are functions in Python's classes and so cannot be given as text.
void refuse_functions(const SchedulerSpec& spec, const nlohmann::json& given) {
  if (spec.id != "cyclic" || !given.is_object()) return;
  for (const char* name : {"scale_fn", "scale_mode"}) {
    if (!given.contains(name)) continue;
    throw Error(ErrorKind::usage, std::string("schedule 'cyclic': there is no '") + name +
                                      "', as a function cannot be given here; set mode to triangular, triangular2 or "
                                      "exp_range, or use the schedule 'lambda' with a function of the model");
  }
}

}  // namespace

const std::vector<SchedulerSpec>& scheduler_specs() {
  static const std::vector<SchedulerSpec> specs = [] {
    std::vector<SchedulerSpec> all;
    for (const auto& kind : kinds()) all.push_back(kind.spec);
    return all;
  }();
  return specs;
}

std::unique_ptr<LrScheduler> make_scheduler(const std::string& name, const nlohmann::json& options, LrTarget& target,
                                            const SchedulerContext& context) {
  const SchedulerKind* kind = find(name);
  if (kind == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : kinds()) names.push_back(known.spec.id);
    throw Error(ErrorKind::usage, unknown_name("there is no learning-rate schedule", name, names));
  }
  const nlohmann::json given = options.is_null() ? nlohmann::json::object() : options;
  refuse_functions(kind->spec, given);
  const auto values = resolve_options(kind->spec.options, given, "schedule '" + kind->spec.id + "'");
  auto scheduler = kind->make({values, target, context});
  scheduler->set_names(kind->spec.id, kind->spec.class_name);
  scheduler->set_options(values);
  scheduler->start();
  return scheduler;
}

}  // namespace levin::core
