// Rules that the core itself uses: stopping, limits, and where log() may be called.
#include "conformance/harness/numbers.hpp"
#include "conformance/registry.hpp"
#include "core/base/error.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/data/limits.hpp"
#include "core/logging/metrics/log_rules.hpp"
#include "core/loops/fit_rules.hpp"

namespace conformance {
namespace {

using namespace levin::core;

Outcome run_should_stop_rule(const Case& c) {
  const json& in = c.inputs;
  const auto flag = [&](const char* name, int64_t absent) {
    return in.at(name).is_null() ? absent : in.at(name).get<int64_t>();
  };
  RunPlan plan;
  plan.duration.max_epochs = flag("max_epochs", -1);
  plan.duration.min_epochs = flag("min_epochs", 0);
  plan.duration.min_steps = flag("min_steps", 0);
  StopInputs stop;
  stop.epochs_processed = in.at("epochs_processed");
  stop.global_step = in.at("global_step");
  stop.stop_asked = in.at("should_stop");
  stop.batches_done = in.at("batches_done_in_epoch");
  stop.batches = in.at("batches_per_epoch").get<int64_t>();
  Outcome out;
  out.seen["can_stop_early"] = can_stop_early(plan, stop);
  if (in.at("question") == "fit_loop") {
    out.seen["done"] = fit_is_done(plan, stop);
    return out;
  }
  const EpochDecision answer = epoch_is_done(plan, stop);
  out.seen["done"] = answer.done;
  out.seen["says_minimum_not_met"] = answer.minimum_not_met;
  return out;
}

Outcome run_limit_rule(const Case& c) {
  const std::string name = c.inputs.at("name");
  const json value = check_trainer_option(*find_trainer_option(name), c.inputs.at("limit"), "trainer." + name);
  Outcome out;
  if (c.inputs.at("question") == "flag_value") {
    const json kept = resolve_trainer({{name, value}}, {name}).at(name);
    const bool interval = name == "val_check_interval";
    const RunPlan plan = make_run_plan({{interval ? name : "limit_train_batches", kept}});
    const bool fraction = interval ? plan.validation.val_check_interval.fraction : plan.limits.train.fraction;
    out.seen = {{"value", kept}, {"value_type", fraction ? "float" : "int"}};
    return out;
  }
  const double length = number_from(c.inputs.at("dataloader_length"));
  const bool sized = length < 1e18;
  const int64_t n = limit_batches(sized ? std::optional<int64_t>(static_cast<int64_t>(length)) : std::nullopt,
                                  make_run_plan({{"limit_train_batches", value}}).limits.train, name);
  out.seen["num_batches"] = n == unlimited ? json("Infinity") : json(n);
  return out;
}

// Hooks of Lightning in which log() is not allowed, and which the host calls without an origin.
constexpr const char* silent_hooks[] = {"configure_callbacks",
                                        "configure_sharded_model",
                                        "prepare_data",
                                        "lr_scheduler_step",
                                        "state_dict",
                                        "load_state_dict",
                                        "on_before_batch_transfer",
                                        "transfer_batch_to_device",
                                        "on_after_batch_transfer"};

// Returns the origin with this name in Lightning; `outside` for the hooks that may not log.
LogOrigin origin_named(const std::string& name) {
  if (name == "clip_gradients") return LogOrigin::configure_gradient_clipping;  // the hook's name in older releases
  for (const LogOrigin origin :
       {LogOrigin::training_step, LogOrigin::validation_step, LogOrigin::test_step, LogOrigin::predict_step,
        LogOrigin::configure_optimizers, LogOrigin::optimizer_step, LogOrigin::optimizer_zero_grad, LogOrigin::backward,
        LogOrigin::configure_gradient_clipping})
    if (name == origin_name(origin)) return origin;
  for (uint32_t hook = 0; hook < LEVIN_HOOK_COUNT; ++hook)
    if (name == origin_name(origin_of_hook(hook))) return origin_of_hook(hook);
  for (const char* silent : silent_hooks)
    if (name == silent) return LogOrigin::outside;
  throw Error(ErrorCode::call_invalid, "'" + name + "' is not a hook");
}

Outcome run_log_defaults(const Case& c) {
  const LogRule rule = log_rule(origin_named(c.inputs.at("hook")));
  Outcome out;
  out.seen["log_allowed"] = rule.allowed;
  if (!rule.allowed) return out;
  out.seen["default_on_step"] = rule.on_step;
  out.seen["default_on_epoch"] = rule.on_epoch;
  out.seen["allowed_on_step"] = rule.step_possible ? json{false, true} : json::array({false});
  out.seen["allowed_on_epoch"] = rule.epoch_optional ? json{false, true} : json::array({true});
  return out;
}

const SuiteEntry should_stop_rule("should_stop_rule", &run_should_stop_rule);
const SuiteEntry limit_batches_rule("limit_batches_rule", &run_limit_rule);
const SuiteEntry log_defaults("log_defaults", &run_log_defaults);

}  // namespace
}  // namespace conformance
