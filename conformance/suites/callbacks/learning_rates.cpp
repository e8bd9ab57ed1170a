// Learning rates during a fit: the values logged by LearningRateMonitor, and those of a backbone that is unfrozen.
#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

json labelled_scheduler(const json& s) {
  json out = {{"name", component_id(s.at("name"))}, {"options", s.at("args")}};
  if (s.contains("interval")) out["interval"] = s["interval"];
  if (s.contains("logging_name")) out["label"] = s["logging_name"];
  return out;
}

json optimizer_of(const json& o) {
  json out = {{"name", component_id(o.at("name"))}, {"options", {{"lr", o.at("lr")}}}};
  for (const char* key : {"momentum", "weight_decay"})
    if (o.contains(key)) out["options"][key] = o[key];
  if (o.contains("params")) out["groups"] = {{{"params", o["params"]}}};
  for (const json& g : o.value("param_groups", json::array())) {
    json group = {{"params", g.at("params")}, {"name", g.value("name", "")}};
    if (g.contains("lr")) group["options"] = {{"lr", g["lr"]}};
    out["groups"].push_back(group);
  }
  if (o.contains("scheduler")) out["scheduler"] = labelled_scheduler(o["scheduler"]);
  return out;
}

bool is_rate(const std::string& name) {
  for (const std::string& end : {std::string("-momentum"), std::string("-weight_decay")})
    if (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0) return false;
  return true;
}

Outcome run_monitor(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.datamodule = true;
  request.data = {{"train", {c.inputs.at("train_batches")}}};
  request.model = c.inputs.at("automatic_optimization") ? "two_weights" : "two_weights_manual";
  json optimizers = json::array();
  for (const json& o : c.inputs.at("optimizers")) optimizers.push_back(optimizer_of(o));
  request.settings = {{"model.script", {{"optimizers", optimizers}}}};
  request.callbacks.push_back({"learning_rate_monitor", "learning_rate_monitor", c.inputs.at("options")});
  if (c.inputs.at("logger")) request.loggers = {{"log", "scripted_logger", {}}};
  const Observed seen = run(request);
  json lrs = json::object(), names = json::array();
  for (const json& call : seen.logger_calls())
    for (const auto& [name, value] : call[0].items())
      if (is_rate(name)) lrs[name].push_back(value);
  // The logger's map does not keep the order of names within a call, so the order of the case is used.
  for (const json& name : c.expected.value("names", json::array()))
    if (lrs.contains(name.get<std::string>())) names.push_back(name);
  if (names.size() != lrs.size()) names.push_back("and others");
  return outcome_of(seen, {{"logger_calls", seen.logger_calls()}, {"lrs", lrs}, {"names", names}});
}

Outcome run_finetuning(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.datamodule = true;
  request.data = {{"train", {c.inputs.at("train_batches")}}};
  request.model = "backbone_and_head";
  request.settings = {{"model.script", {{"optimizers", {optimizer_of(c.inputs.at("head"))}}}}};
  json options = c.inputs.at("options");
  if (options.contains("lambda_func")) options["lambda_func"] = options["lambda_func"].at("const");
  request.callbacks.push_back({"backbone_finetuning", "backbone_finetuning", options});
  const Observed seen = run(request);
  json epochs = json::array();
  for (const json& line : seen.records)
    if (line.value("at", "") == "on_train_batch_start")
      epochs.push_back({line.at("epoch"), line.at("lrs"), line.at("requires_grad")});
  return outcome_of(seen, {{"per_epoch", epochs}});
}

const SuiteEntry monitor("lr_monitor", &run_monitor);
const SuiteEntry finetuning("finetuning", &run_finetuning);

}  // namespace
}  // namespace conformance
