// Every hook call of a run, in order of entry.
#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

bool filtered(const std::string& name, const std::vector<std::string>& may_filter) {
  for (const std::string& pattern : may_filter) {
    if (pattern == name) return true;
    const bool any = pattern.compare(0, 2, "*.") == 0;
    if (any && name.size() > pattern.size() - 2 && name.substr(name.find('.')) == pattern.substr(1)) return true;
  }
  return false;
}

// [depth, who.hook, arguments, epoch, step, keyword arguments]: what is compared of an event.
json events_seen(const Observed& seen, const Case& c) {
  json events = json::array();
  json last = {0, 0};
  for (const json& h : seen.hooks("")) {
    const std::string name = h.at("who").get<std::string>() + "." + h.at("hook").get<std::string>();
    if (filtered(name, c.may_filter)) continue;
    if (h.contains("epoch")) last = {h.at("epoch"), h.at("step")};
    events.push_back({h.at("depth"), name, h.at("args"), last[0], last[1], h.value("kwargs", json::object())});
  }
  return events;
}

// A checkpoint's sections are Python's; its counters are compared.
json comparable(json arguments) {
  for (json& argument : arguments)
    if (argument.is_object() && argument.contains("checkpoint")) argument["checkpoint"].erase("keys");
  return arguments;
}

json events_expected(const Case& c) {
  json events = json::array();
  for (const json& e : c.expected.at("events")) {
    if (filtered(e[1], c.may_filter)) continue;
    events.push_back({e[0], e[1], comparable(e[2]), e[3], e[4], e.size() > 6 ? e[6] : json::object()});
  }
  return events;
}

json names_of(const json& events) {
  json names = json::array();
  for (const json& e : events) names.push_back(e[1]);
  return names;
}

std::string how_it_ended(const Observed& seen) {
  if (seen.error) return "raised";
  return seen.code == 130 ? "interrupted" : "";
}

void add_model(const json& model, ScriptedRun& request) {
  const bool plain = model.value("plain", false);
  if (!model.value("automatic_optimization", true)) {
    request.model = "manual";
    request.script["optimizers"] = json::array();
    for (int i = 0; i < model.value("optimizers", 1); ++i)
      request.script["optimizers"].push_back({{"name", "sgd"}, {"options", {{"lr", 0.1}}}});
  }
  const json step_lr = {{"name", "StepLR"}, {"args", {{"step_size", 1}}}};
  if (!plain || model.contains("scheduler")) {
    const json s = model.value("scheduler", step_lr);
    json scheduler = s;
    scheduler["name"] = component_id(s.at("name"));
    scheduler["options"] = s.at("args");
    scheduler.erase("args");
    request.script["schedulers"] = {scheduler};
  }
  for (const char* split : {"val", "test", "predict"})
    if (model.contains("eval_loader_lengths")) request.data[split] = model.at("eval_loader_lengths");
  for (const json& hook : model.value("override", json::array()))
    if (hook.get<std::string>().find("_model_train") != std::string::npos) request.model = "recorded_model_train";
  if (model.contains("script")) request.script["script"] = model.at("script");
}

ScriptedRun request_of(const json& inputs) {
  ScriptedRun request;
  request.calls = {inputs.at("fn")};
  request.trainer = inputs.at("trainer");
  request.model = "recorded";
  request.script["record"] = true;
  request.datamodule = inputs.at("datamodule");
  if (request.datamodule) request.data["record"] = true;
  add_model(inputs.at("model"), request);
  request.callbacks.clear();
  const int n = inputs.at("user_callbacks");
  for (int i = 0; i < n; ++i)
    request.callbacks.push_back(
        {n == 1 ? "cb" : "cb" + std::to_string(i), "scripted_callback", {{"script", {{"record", true}}}}});
  json own = json::array();
  for (const json& log : inputs.value("logs", json::array())) own.push_back(log);
  if (!own.empty()) request.script["logs"] = own;
  return request;
}

Outcome run_hook_order(const Case& c) {
  const Observed seen = run(request_of(c.inputs));
  const json events = events_seen(seen, c);
  json expected = c.expected;
  expected["events"] = events_expected(c);
  expected["names_pre_order"] = names_of(expected["events"]);
  const std::string end = how_it_ended(seen);
  Outcome out;
  if (seen.error && c.expected.at("exception") != "raised") out.error = seen.error;
  out.expected = expected;
  const bool finished = end.empty();
  out.seen = {{"events", events},
              {"names_pre_order", names_of(events)},
              {"current_epoch", seen.final_state.value("current_epoch", json())},
              {"global_step", seen.final_state.value("global_step", json())},
              {"exception", finished ? json() : json(end)},
              {"state", finished ? "finished" : "interrupted"}};
  return out;
}

const SuiteEntry hook_order("hook_order", &run_hook_order);

}  // namespace
}  // namespace conformance
