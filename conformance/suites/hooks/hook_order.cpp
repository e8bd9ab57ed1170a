// Every hook call of a run, in the order of entry.
#include "conformance/registry.hpp"
#include "conformance/suites/hooks/hooks.hpp"

namespace conformance {
namespace {

// A plain model does not override these hooks; the scripted one does.
bool not_overridden(const std::string& name, const Case& c) {
  return c.inputs.at("model").value("plain", false) && (name == "lm.configure_model" || name == "lm.prepare_data");
}

// Removes the closure argument of optimizer_step, which only some cases list.
json without_closure(json arguments) {
  if (!arguments.empty() && arguments.back() == "closure") arguments.erase(arguments.size() - 1);
  return arguments;
}

// Returns the compared fields of each event: [depth, who.hook, arguments, epoch, step, keyword arguments].
json events_seen(const Observed& seen, const Case& c) {
  json events = json::array();
  json last = {0, 0};
  for (const json& h : seen.hooks("")) {
    const std::string name = h.at("who").get<std::string>() + "." + h.at("hook").get<std::string>();
    if (may_be_left_out(name, c.may_filter) || not_overridden(name, c)) continue;
    if (h.contains("epoch")) last = {h.at("epoch"), h.at("step")};
    events.push_back(
        {h.at("depth"), name, without_closure(h.at("args")), last[0], last[1], h.value("kwargs", json::object())});
  }
  return events;
}

// Removes the keys of a checkpoint, which are specific to Python; its counters are compared.
json comparable(json arguments) {
  for (json& argument : arguments)
    if (argument.is_object() && argument.contains("checkpoint")) argument["checkpoint"].erase("keys");
  return arguments;
}

bool is_built_in(const std::string& name, const Case& c) {
  return c.inputs.value("recorded_hooks", json::object()).contains(name.substr(0, name.find('.')));
}

// Events of built-in callbacks are recorded without arguments, so theirs are not expected either.
json events_expected(const Case& c) {
  json events = json::array();
  for (const json& e : c.expected.at("events")) {
    if (may_be_left_out(e[1], c.may_filter)) continue;
    const bool bare = is_built_in(e[1], c);
    events.push_back({e[0], e[1], bare ? json::array() : comparable(without_closure(e[2])), e[3], e[4],
                      e.size() > 6 && !bare ? e[6] : json::object()});
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

// Adds the built-in callbacks in the given order; "user" is the recording callback.
void add_callbacks(const json& inputs, ScriptedRun& request) {
  if (!inputs.contains("callbacks")) return;
  const std::vector<Part> user = std::exchange(request.callbacks, {});
  for (const json& callback : inputs.at("callbacks")) {
    if (callback.value("name", "") == "user")
      request.callbacks.insert(request.callbacks.end(), user.begin(), user.end());
    else
      request.add_callbacks(json::array({callback}), "EarlyStopping");
  }
}

// Returns the lengths from a list, or from an object in the order written.
json lengths_of(const Case& c) {
  json lengths = json::array();
  for (const ordered_json& length : c.written.at("model").at("train_loader_lengths"))
    lengths.push_back(length.get<int64_t>());
  return lengths;
}

ScriptedRun request_of(const Case& c) {
  const json& inputs = c.inputs;
  ScriptedRun request = recorded_run(inputs.at("model"), inputs.at("user_callbacks"));
  request.calls = {inputs.at("fn")};
  request.trainer = inputs.at("trainer");
  request.datamodule = inputs.at("datamodule");
  if (request.datamodule) request.data["record"] = true;
  add_callbacks(inputs, request);
  if (inputs.at("model").contains("train_loader_lengths")) request.data["train"] = lengths_of(c);
  request.add_script(inputs.at("model").value("script", json::array()));
  request.add_logs(inputs.value("logs", json::array()));
  return request;
}

json order_of_callbacks(levin::core::Trainer& trainer) {
  json order = json::array();
  for (const auto& callback : trainer.assembly().hooks.callbacks()) {
    const std::string id = callback->schema().id;
    order.push_back(id == "early_stopping" ? "EarlyStopping" : id == "model_checkpoint" ? "ModelCheckpoint" : "user");
  }
  return order;
}

// For built-in callbacks, the events that the dispatcher sends to them are recorded.
void add_built_in(const json& recorded, ScriptedRun& request) { request.trace = recorded; }

Outcome run_hook_order(const Case& c) {
  ScriptedRun request = request_of(c);
  FirstRun first;
  if (c.inputs.contains("first_run")) {
    ScriptedRun like = request;
    like.callbacks.clear();
    first = make_first_run(like, c.inputs.at("first_run"));
    request.ckpt_path = first.checkpoint;
  }
  if (c.inputs.contains("recorded_hooks")) add_built_in(c.inputs.at("recorded_hooks"), request);
  json order;
  request.inspect = [&](levin::core::Trainer& trainer) { order = order_of_callbacks(trainer); };
  const Observed seen = run(request);
  const json events = events_seen(seen, c);
  json expected = c.expected;
  expected["events"] = events_expected(c);
  expected["names_pre_order"] = names_of(expected["events"]);
  const std::string end = how_it_ended(seen);
  Outcome out;
  if (seen.error && c.expected.at("exception") != "raised") out.error = seen.error;
  if (c.inputs.at("model").contains("train_loader_lengths") && lengths_of(c).size() > 1)
    out.decided = "ADR 11: transfer hooks run for each loader's batch";
  out.expected = expected;
  out.seen = {{"events", events},
              {"names_pre_order", names_of(events)},
              {"current_epoch", seen.final_state.value("current_epoch", json())},
              {"global_step", seen.final_state.value("global_step", json())},
              {"exception", end.empty() ? json() : json(end)},
              {"callback_order", order},
              {"state", end.empty() ? "finished" : "interrupted"}};
  return out;
}

const SuiteEntry hook_order("hook_order", &run_hook_order);

}  // namespace
}  // namespace conformance
