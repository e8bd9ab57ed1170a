#include "conformance/suites/hooks/hooks.hpp"

#include <algorithm>

#include "conformance/harness/names.hpp"

namespace conformance {
namespace {

json named_scheduler(const json& given) {
  json scheduler = given;
  scheduler["name"] = component_id(given.at("name"));
  scheduler["options"] = given.at("args");
  scheduler.erase("args");
  return scheduler;
}

void add_optimizers(const json& model, ScriptedRun& request) {
  if (model.value("automatic_optimization", true)) return;
  request.model = "manual";
  request.script["optimizers"] = json::array();
  for (int i = 0; i < model.value("optimizers", 1); ++i)
    request.script["optimizers"].push_back({{"name", "sgd"}, {"options", {{"lr", 0.1}}}});
}

// Selects the component by the two hooks that are only called if overridden. All other hooks are overridden in each
// component.
void add_overrides(const json& model, ScriptedRun& request) {
  const json overridden = model.value("override", json::array());
  for (const char* split : {"validation", "test"}) {
    const json hook = "on_" + std::string(split) + "_model_train";
    if (std::find(overridden.begin(), overridden.end(), hook) != overridden.end())
      request.model += "_" + std::string(split);
  }
}

}  // namespace

bool may_be_left_out(const std::string& name, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (pattern == name) return true;
    if (pattern.compare(0, 2, "*.") == 0 && name.substr(name.find('.')) == pattern.substr(1)) return true;
  }
  return false;
}

ScriptedRun recorded_run(const json& model, int user_callbacks) {
  ScriptedRun request;
  request.model = "recorded";
  request.script["record"] = true;
  add_optimizers(model, request);
  add_overrides(model, request);
  const json step_lr = {{"name", "StepLR"}, {"args", {{"step_size", 1}}}};
  if (!model.value("plain", false) || model.contains("scheduler"))
    request.script["schedulers"] = {named_scheduler(model.value("scheduler", step_lr))};
  if (model.contains("eval_loader_lengths")) {
    for (const char* split : {"val", "test", "predict"}) request.data[split] = model.at("eval_loader_lengths");
    request.data["evaluates_on_val"] = true;
  }
  request.callbacks.clear();
  for (int i = 0; i < user_callbacks; ++i)
    request.callbacks.push_back(
        {user_callbacks == 1 ? "cb" : "cb" + std::to_string(i), "scripted_callback", {{"script", {{"record", true}}}}});
  return request;
}

FirstRun make_first_run(const ScriptedRun& like, const json& first_run) {
  ScriptedRun request = like;
  request.calls = {"fit"};
  request.trainer = first_run.at("trainer");
  if (first_run.contains("ModelCheckpoint"))
    request.callbacks.push_back({"model_checkpoint", "model_checkpoint", first_run.at("ModelCheckpoint")});
  const std::string load = first_run.at("load");
  FirstRun out;
  request.inspect = [&](levin::core::Trainer& trainer) {
    const auto& folder = trainer.assembly().output.folder;
    if (!folder) return;
    if (load == "best")
      out.checkpoint = folder->announced("best").value_or(folder->announced("last").value_or(""));
    else
      out.checkpoint = (folder->checkpoints() / load).string();
  };
  out.run = run(request);
  return out;
}

}  // namespace conformance
