// The steps of learning-rate schedules.
#include <algorithm>

#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* scheduler_steps = "epoch_loop.scheduler_progress.total.completed";

json scheduler_of(const json& described) {
  json s = described;
  s["name"] = component_id(described.at("name"));
  s["options"] = described.value("args", json::object());
  if (described.contains("bound_to")) s["optimizer"] = 7;  // an optimizer that configure_optimizers did not return
  for (const char* key : {"args", "bound_to"}) s.erase(key);
  for (const char* key : {"interval", "frequency", "monitor", "strict"})
    if (s.contains(key) && s.at(key).is_null()) s.erase(key);
  return s;
}

ScriptedRun scheduled_request(const json& inputs) {
  ScriptedRun request;
  request.trainer = inputs.at("trainer");
  request.data = {{"train", {inputs.at("train_batches")}}, {"val", {1}}};
  json& script = request.script;
  script["optimizers"] = json::array();
  if (!inputs.at("optimizer").is_null())
    script["optimizers"].push_back(
        {{"name", component_id(inputs.at("optimizer"))}, {"options", {{"lr", inputs.at("base_lr")}}}});
  script["schedulers"] = json::array();
  for (const json& s : inputs.at("schedulers")) script["schedulers"].push_back(scheduler_of(s));
  script["scale"] = 0.0;
  script["watch"] = {{"training_step", {"lr"}}};
  script["script"] = json::array();
  json callback_deeds = json::array();
  for (const json& deed : inputs.at("script"))
    (deed.value("who", "lm") == "lm" ? script["script"] : callback_deeds).push_back(deed);
  const json& metric = inputs.at("metric");
  if (!metric.is_null())
    script["logs"] = {{{"hook", metric.at("logged_in")},
                       {"name", metric.at("name")},
                       {"value", {{"list", metric.at("values")}}},
                       {"kwargs", json::object()}}};
  request.callbacks[0].options["script"] = {
      {"script", callback_deeds}, {"watch", {{"on_train_epoch_end", {"lr"}}, {"on_fit_end", {"lr", scheduler_steps}}}}};
  return request;
}

json watched(const std::vector<json>& records, const char* name) {
  json out = json::array();
  for (const json& r : records) out.push_back(r.at("watch").at(name));
  return out;
}

// Returns the texts of `wanted` that occur in a console line.
json warned(const Observed& seen, const json& wanted) {
  json found = json::array();
  for (const json& text : wanted)
    if (std::any_of(seen.lines.begin(), seen.lines.end(),
                    [&](const std::string& line) { return line.find(text.get<std::string>()) != std::string::npos; }))
      found.push_back(text);
  return found;
}

Outcome run_lr_scheduler(const Case& c) {
  ScriptedRun request = scheduled_request(c.inputs);
  json weight;
  request.inspect = [&](levin::core::Trainer& trainer) {
    if (const auto& model = trainer.assembly().components.model)
      weight = model->parameters().front().tensor.item().toDouble();
  };
  const Observed seen = run(std::move(request));
  const auto ends = seen.hooks("cb", "on_fit_end");
  const json end = ends.empty() ? json::object() : ends.back().value("watch", json::object());
  json out = {{"lr_at_each_training_step", watched(seen.hooks("lm", "training_step"), "lr")},
              {"lr_in_on_train_epoch_end", watched(seen.hooks("cb", "on_train_epoch_end"), "lr")},
              {"final_lr", end.value("lr", json())},
              {"scheduler_step_calls", end.value(scheduler_steps, json())},
              {"global_step", seen.final_state.value("global_step", json())},
              {"current_epoch", seen.final_state.value("current_epoch", json())},
              {"warning_must_name", warned(seen, c.expected.value("warning_must_name", json::array()))}};
  if (!weight.is_null()) out["w"] = weight;
  return outcome_of(seen, out);
}

const SuiteEntry lr_scheduler("lr_scheduler", &run_lr_scheduler);

}  // namespace
}  // namespace conformance
