#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

Outcome run_reload_dataloaders(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data = {{"train", {c.inputs.at("train_len")}}, {"val", {c.inputs.at("val_len")}}, {"loaders", true}};
  request.script["watch"] = {{"validation_step", json::array()}};
  request.callbacks[0].options["script"] = {
      {"watch", {{"on_sanity_check_start", json::array()}, {"on_sanity_check_end", json::array()}}}};
  const Observed seen = run(request);
  json train = json::array(), val = json::array(), sanity = json::array(), steps = json::array();
  bool checking = false;
  for (const json& line : seen.records) {
    if (line.contains("made")) {
      json& list = line.at("made") == "train" ? train : checking ? sanity : val;
      if (line.at("made") == "train" || line.at("made") == "val") list.push_back(line.at("in"));
      continue;
    }
    const std::string hook = line.value("hook", "");
    if (hook == "on_sanity_check_start") checking = true;
    if (hook == "on_sanity_check_end") checking = false;
    if (hook == "validation_step" && !checking) steps.push_back(line.at("epoch"));
  }
  return outcome_of(seen, {{"train_dataloader_called_in_epochs", train},
                           {"val_dataloader_called_in_epochs", val},
                           {"val_dataloader_called_in_sanity", sanity},
                           {"validation_step_epochs", steps}});
}

const SuiteEntry reload_dataloaders("reload_dataloaders", &run_reload_dataloaders);

}  // namespace
}  // namespace conformance
