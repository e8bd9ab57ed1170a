// limit_*_batches, overfit_batches, fast_dev_run and the sanity check in real runs.
#include "core/data/limits.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace conformance {
namespace {

using levin::core::Assembly;
using levin::core::Limit;
using levin::core::RunPlan;
using levin::core::Trainer;
using levin::core::unlimited;

json count(int64_t n) { return n == unlimited ? json("Infinity") : json(n); }

json limit_value(const Limit& limit) {
  return limit.fraction ? json(limit.value) : json(static_cast<int64_t>(limit.value));
}

json val_batches(Assembly& a) {
  json out = json::array();
  for (size_t i = 0; i < a.loops.loaders.get(LEVIN_VAL).size(); ++i)
    out.push_back(count(a.loops.loaders.batches(LEVIN_VAL, i)));
  return out;
}

json sanity_batches_of(Assembly& a) {
  json out = json::array();
  for (size_t i = 0; i < a.loops.loaders.get(LEVIN_VAL).size(); ++i)
    out.push_back(count(levin::core::sanity_batches(a.settings.plan.validation.num_sanity_val_steps,
                                                    a.loops.loaders.batches(LEVIN_VAL, i))));
  return out;
}

json resolved(Trainer& trainer) {
  Assembly& a = trainer.assembly();
  const RunPlan& plan = a.settings.plan;
  double training = 0;
  levin::core::trainer_number(*a.run.trainer, "num_training_batches", training);
  const bool validates = !plan.limits.val.off();  // otherwise the loaders are never created
  return {{"num_training_batches", training > 1e300 ? json("Infinity") : json(training)},
          {"num_val_batches", validates ? val_batches(a) : json::array()},
          {"num_sanity_val_batches", validates ? sanity_batches_of(a) : json::array()},
          {"limit_train_batches", limit_value(plan.limits.train)},
          {"limit_val_batches", limit_value(plan.limits.val)},
          {"limit_test_batches", limit_value(plan.limits.test)},
          {"limit_predict_batches", limit_value(plan.limits.predict)},
          {"max_steps", plan.duration.max_steps},
          {"max_epochs", plan.duration.max_epochs},
          {"num_sanity_val_steps", count(plan.validation.num_sanity_val_steps)}};
}

json seen_batches(const Observed& observed) {
  json seen = {{"train", json::array()},
               {"val", json::array()},
               {"sanity", json::array()},
               {"test", json::array()},
               {"predict", json::array()}};
  for (const json& h : observed.hooks("cb")) {
    const std::string hook = h.at("hook");
    if (!h.contains("watch")) continue;
    const json& items = h.at("watch").at("items");
    const bool sanity = h.at("stage") == "sanity_check";
    if (hook == "on_train_batch_start") seen["train"].push_back({h.at("epoch"), h.at("batch_idx"), items});
    if (hook == "on_validation_batch_start")
      seen[sanity ? "sanity" : "val"].push_back({h.at("epoch"), h.at("batch_idx"), items});
    if (hook == "on_test_batch_start") seen["test"].push_back({h.at("batch_idx"), items});
    if (hook == "on_predict_batch_start") seen["predict"].push_back({h.at("batch_idx"), items});
  }
  return seen;
}

Outcome run_limits(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  for (const json& call : c.inputs.at("then")) request.calls.push_back(call);
  const json val = {c.inputs.at("val_len")};
  request.data = {{"train", {c.inputs.at("train_len")}},
                  {"val", val},
                  {"test", val},
                  {"predict", val},
                  {"batch_size", c.inputs.at("batch_size")}};
  request.script["optimizers"] = {{{"name", "sgd"}, {"options", {{"lr", 0.0}}}}};
  for (const char* hook :
       {"on_train_batch_start", "on_validation_batch_start", "on_test_batch_start", "on_predict_batch_start"})
    request.observer().options["script"]["watch"][hook] = {"items"};
  json numbers = json::object();
  request.inspect = [&](Trainer& trainer) { numbers = resolved(trainer); };
  const Observed seen = run(request);
  numbers["seen"] = seen_batches(seen);
  numbers["global_step"] = seen.final_state.value("global_step", json());
  return outcome_of(seen, numbers);
}

Outcome run_sanity(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data["val"] = c.inputs.at("val_loader_lengths");
  json numbers = json::object();
  request.inspect = [&](Trainer& trainer) {
    numbers = {{"num_sanity_val_batches", sanity_batches_of(trainer.assembly())}};
  };
  const Observed seen = run(request);
  return outcome_of(seen, numbers);
}

const SuiteEntry limit_batches("limit_batches", &run_limits);
const SuiteEntry sanity_batches("sanity_batches", &run_sanity);

}  // namespace
}  // namespace conformance
