// The order of a run's callbacks, including the defaults.
#include <algorithm>

#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

bool is_user_class(const std::string& name) { return name.size() == 2 && name[0] == 'U'; }

std::string class_name(const std::string& instance, const std::string& component) {
  if (component == "scripted_callback") return instance;
  std::string out;
  bool up = true;
  for (char ch : component) {
    if (ch != '_') out += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(ch))) : ch;
    up = ch == '_';
  }
  return out;
}

json class_names(const json& callbacks) {
  json out = json::array();
  for (const json& item : callbacks) out.push_back(item.is_string() ? item : item.value("name", json("EarlyStopping")));
  return out;
}

int64_t how_often(const json& names, const json& name) { return std::count(names.begin(), names.end(), name); }

json without(const json& names, const json& name) {
  json out = json::array();
  for (const json& n : names)
    if (n != name) out.push_back(n);
  return out;
}

// Returns the reason why Levin, by decision, keeps callbacks that Lightning refuses or omits.
std::string why_kept(const Case& c, const json& order) {
  const json names = class_names(c.inputs.at("callbacks"));
  if (c.expected.value("error", false)) {
    for (const json& name : names)
      if (how_often(names, name) > 1) return "callbacks have names, so one class may be there twice (docs/adr/0017)";
    const bool off = c.inputs.at("trainer").value("enable_checkpointing", true) == false;
    if (off && how_often(names, "OnExceptionCheckpoint") && !how_often(names, "ModelCheckpoint"))
      return "enable_checkpointing is about model_checkpoint alone (docs/adr/0017)";
    return "";
  }
  if (!how_often(names, "OnExceptionCheckpoint") || how_often(names, "ModelCheckpoint")) return "";
  if (without(order, "ModelCheckpoint") != c.expected.at("order")) return "";
  return "on_exception_checkpoint does not stand for model_checkpoint (docs/adr/0017)";
}

Outcome run_order(const Case& c) {
  ScriptedRun request;
  request.defaults = true;
  request.trainer = c.inputs.at("trainer");
  request.trainer["logger"] = false;
  request.trainer["fast_dev_run"] = false;
  request.calls.clear();  // build the run without calling anything
  // Switch off the host's own defaults that Lightning does not have.
  request.callbacks = {{"early_stopping", "", {}}, {"results_table", "", {}}};
  for (const json& item : c.inputs.at("callbacks")) {
    const std::string name = item.is_string() ? item.get<std::string>() : item.at("name").get<std::string>();
    if (name == "EarlyStopping") request.callbacks.erase(request.callbacks.begin());
    if (is_user_class(name))
      request.callbacks.push_back({name, "scripted_callback", json::object()});
    else
      request.add_callbacks(json::array({item.is_string() ? json{{"name", name}} : item}), "EarlyStopping");
  }
  json order = json::array();
  request.inspect = [&](levin::core::Trainer& trainer) {
    for (const auto& callback : trainer.assembly().hooks.callbacks())
      order.push_back(class_name(callback->instance(), callback->schema().id));
  };
  const Observed seen = run(request);
  Outcome out = outcome_of(seen, {{"order", order}});
  if (!seen.error) out.decided = why_kept(c, order);
  return out;
}

const SuiteEntry callback_order("callback_order", &run_order);

}  // namespace
}  // namespace conformance
