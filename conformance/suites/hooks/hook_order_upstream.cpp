// The hook lists of Lightning's own test, which records a name when the call returns.
#include "conformance/registry.hpp"
#include "conformance/suites/hooks/hooks.hpp"

namespace conformance {
namespace {

json plain_arguments(const json& args) {
  json plain = json::array();
  for (const json& a : args)
    if (a.is_number() || a.is_boolean() || a.is_null()) plain.push_back(a);
  return plain;
}

json called(const json& h) {
  json out = {{"name", h.at("who").get<std::string>() + "." + h.at("hook").get<std::string>()}};
  const json kwargs = h.value("kwargs", json::object());
  if (kwargs.contains("stage")) out["stage"] = kwargs.at("stage");
  json args = h.at("args");
  if (h.at("hook") != "lr_scheduler_step" && !args.empty() && args[0].is_null()) args.erase(0);  // without outputs
  for (const json& a : args)
    if (a.is_object() && a.contains("checkpoint")) out["checkpoint"] = a.at("checkpoint");
  const json plain = plain_arguments(args);
  if (!plain.empty()) out["args"] = plain;
  return out;
}

// Records are made at entry. A call has returned when the next record is not deeper.
json in_order_of_return(const std::vector<json>& hooks) {
  json out = json::array();
  std::vector<json> open;
  const auto close_to = [&](int64_t depth) {
    for (; !open.empty() && open.back().at("depth").get<int64_t>() >= depth; open.pop_back())
      out.push_back(called(open.back()));
  };
  for (const json& h : hooks) {
    close_to(h.at("depth").get<int64_t>());
    open.push_back(h);
  }
  close_to(0);
  return out;
}

json without_filtered(const json& list, const std::vector<std::string>& may_filter) {
  json out = json::array();
  for (const json& call : list)
    if (!may_be_left_out(call.at("name"), may_filter)) out.push_back(call);
  return out;
}

// Removes the hooks that Levin calls only in a Trainer's first call.
json without_making(const json& list) {
  json out = json::array();
  for (const json& call : list)
    if (call.at("name") != "lm.configure_callbacks" && call.at("name") != "lm.configure_model") out.push_back(call);
  return out;
}

Outcome run_upstream(const Case& c) {
  const json& in = c.inputs;
  const bool of_data = in.at("recorded") == "datamodule";
  ScriptedRun request = recorded_run(in.at("model"), 1);
  request.calls = in.value("earlier_calls", std::vector<std::string>{});
  request.calls.push_back(in.at("fn"));
  request.trainer = in.at("trainer");
  request.datamodule = of_data;
  for (const char* split : {"train", "val", "test", "predict"}) request.data[split] = {in.at("dataset_len")};
  if (of_data) request.data["record"] = true;
  FirstRun first;
  if (in.contains("first_run")) {
    first = make_first_run(request, in.at("first_run"));
    request.ckpt_path = first.checkpoint;
  }
  const Observed seen = run(request);
  std::vector<json> hooks;
  for (const json& line : seen.records) {
    if (line.contains("entry") && line.at("first") == false) hooks.clear();  // drop the records of earlier calls
    if (!line.contains("hook") || (line.at("who") == "dm") != of_data) continue;
    hooks.push_back(line);
  }
  Outcome out = outcome_of(seen, {{"called", without_filtered(in_order_of_return(hooks), c.may_filter)}});
  out.expected = c.expected;
  json& expected = (*out.expected)["called"] = without_filtered(c.expected.at("called"), c.may_filter);
  const bool later = request.calls.size() > 1;
  if (later && difference(without_making(expected), out.seen.at("called")).empty())
    out.decided = "a Trainer makes its parts in its first call (docs/adr/0003)";
  return out;
}

const SuiteEntry hook_order_upstream("hook_order_upstream", &run_upstream);

}  // namespace
}  // namespace conformance
