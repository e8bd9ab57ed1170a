// The early stopping callback in a real fit.
#include "conformance/harness/numbers.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "conformance/suites/callbacks/stopping_reason.hpp"
#include "levin/state.hpp"

namespace conformance {
namespace {

template <class T>
T state_of(const Observed& seen, const std::string& callback, const char* key) {
  T value{};
  const auto found = seen.states.find(callback);
  if (found == seen.states.end()) return value;
  const levin_reader reader = found->second.reader("");
  levin::Reader(&reader).get(key, value);
  return value;
}

json log_of(const std::string& hook, const std::string& name, const json& values) {
  return {{"who", "lm"}, {"hook", hook}, {"name", name}, {"value", {{"by_epoch", values}}}, {"kwargs", json::object()}};
}

Outcome run_early_stopping_fit(const Case& c) {
  Outcome several;
  if (c.inputs.at("world_size") != 1) {
    several.not_applicable = "one process trains; several ranks are refused";
    return several;
  }
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data = {{"train", {c.inputs.at("train_batches")}}, {"val", {c.inputs.at("val_batches")}}};
  for (const auto& [name, values] : c.inputs.at("metrics")[0].items())
    request.script["logs"].push_back(log_of(c.inputs.at("logged_in"), name, values));
  request.add_callbacks(c.inputs.at("callbacks"), "EarlyStopping");
  const std::string callback = request.callbacks.back().name;
  const Observed seen = run(request);
  const auto epoch = seen.final_state.value("current_epoch", 0.0);
  return outcome_of(seen,
                    {{"current_epoch", epoch},
                     {"global_step", seen.final_state.value("global_step", json())},
                     {"stopped_epoch", std::max<int64_t>(0, state_of<int64_t>(seen, callback, "stopped_epoch"))},
                     {"wait_count", state_of<int64_t>(seen, callback, "wait_count")},
                     {"best_score", number_to(state_of<double>(seen, callback, "best_score"))},
                     {"stopping_reason", stopping_reason_name(state_of<int32_t>(seen, callback, "stopping_reason"))},
                     {"stop_epoch", epoch - 1},
                     {"checks", state_of<int64_t>(seen, callback, "checks")}});
}

const SuiteEntry early_stopping_fit("early_stopping_fit", &run_early_stopping_fit);

}  // namespace
}  // namespace conformance
