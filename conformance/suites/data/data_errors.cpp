// Missing or contradictory components.
#include <algorithm>

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

bool has(const json& list, const char* what) { return std::find(list.begin(), list.end(), what) != list.end(); }

void leave_out(const json& inputs, ScriptedRun& request) {
  const json& without = inputs.at("without");
  request.script["without"] = json::array();
  for (const json& part : without) {
    const std::string name = part;
    const size_t loader = name.find("_dataloader");
    const bool of_model = loader != std::string::npos && !request.datamodule;  // else of the data module
    if (of_model)
      request.data[name.substr(0, loader)] = json::array();
    else if (loader == std::string::npos && name != "model" && name != "configure_optimizers")
      request.script["without"].push_back(name);
  }
  if (has(without, "configure_optimizers")) request.model = "scalar_no_optimizers";
  if (has(without, "model")) request.model.clear();
}

void make_return(const json& inputs, ScriptedRun& request) {
  for (const auto& [method, value] : inputs.at("returns").items()) {
    if (method == "train_dataloader") request.data["train"] = json::array();
    if (method == "training_step") request.script["returns"] = {{"training_step", value}};
    if (method != "configure_optimizers") continue;
    request.script["optimizers"] = json::array();
    for (size_t i = 0; value.is_array() && i < value.size(); ++i)
      request.script["optimizers"].push_back({{"name", value[i]}, {"options", {{"lr", 0.1}}}});
  }
}

std::string not_applicable(const json& inputs) {
  const json& given = inputs.at("given");
  if (has(given, "datamodule") && given.size() > 1)
    return "data is handed over in one way, --data: there are no loaders beside a data module";
  if (inputs.at("returns").value("training_step", json()) == json::object())
    return "a step that returns no output and one that returns nothing are the same";
  return "";
}

Outcome run_data_errors(const Case& c) {
  const json& given = c.inputs.at("given");
  if (const std::string why = not_applicable(c.inputs); !why.empty()) {
    Outcome out;
    out.not_applicable = why;
    return out;
  }
  ScriptedRun request;
  request.calls = {c.inputs.at("fn")};
  request.trainer = c.inputs.at("trainer");
  request.data["train"] = {c.inputs.at("train_len")};
  request.datamodule = has(given, "datamodule");
  if (!c.inputs.at("automatic_optimization").get<bool>()) request.model = "manual";
  leave_out(c.inputs, request);
  make_return(c.inputs, request);
  const Observed seen = run(request);
  return outcome_of(seen, {{"error", seen.error.has_value()}});
}

const SuiteEntry data_errors("data_errors", &run_data_errors);

}  // namespace
}  // namespace conformance
