#include "conformance/suites/loops/schedule.hpp"

#include "conformance/harness/names.hpp"

namespace conformance {
namespace {

json watch() {
  return {{"on_validation_start", {"batch_idx", "total_batch_idx"}},
          {"on_train_batch_end", {"batch_idx"}},
          {"on_train_epoch_end", {"batch_idx", "is_last_batch"}}};
}

json at(const json& record, const char* name) { return record.at("watch").at(name); }

std::vector<json> validations_of(const Observed& seen) {
  std::vector<json> out;
  for (const json& h : seen.hooks("cb", "on_validation_start"))
    if (h.at("stage") != "sanity_check") out.push_back(h);
  return out;
}

Outcome run_val_schedule(const Case& c) {
  ScriptedRun request = schedule_request(c.inputs);
  request.data["sized"] = c.inputs.value("sized", true);
  return run_schedule(std::move(request));
}

Outcome run_should_stop(const Case& c) {
  const Observed seen = run(schedule_request(c.inputs));
  json validations = json::array(), last_batch, is_last;
  for (const json& h : validations_of(seen)) validations.push_back({h.at("epoch"), h.at("step")});
  for (const json& h : seen.hooks("cb", "on_train_epoch_end")) {
    last_batch = at(h, "batch_idx");
    is_last = at(h, "is_last_batch") != 0;
  }
  return outcome_of(seen, {{"last_batch_idx", last_batch},
                           {"is_last_batch", is_last},
                           {"global_step", seen.final_state.value("global_step", json())},
                           {"current_epoch", seen.final_state.value("current_epoch", json())},
                           {"validation_runs", validations.size()},
                           {"validations", validations}});
}

const SuiteEntry val_schedule("val_schedule", &run_val_schedule);
const SuiteEntry stop_conditions("stop_conditions",
                                 [](const Case& c) { return run_schedule(schedule_request(c.inputs)); });
const SuiteEntry should_stop("should_stop", &run_should_stop);

}  // namespace

ScriptedRun schedule_request(const json& inputs) {
  ScriptedRun request;
  request.trainer = inputs.at("trainer");
  request.data = {{"train", {inputs.at("train_batches")}}, {"val", {inputs.at("val_batches")}}};
  request.observer().options["script"] = {{"watch", watch()}};
  request.add_script(inputs.value("script", json::array()));
  request.add_logs(inputs.value("logs", json::array()));
  request.add_callbacks(inputs.value("callbacks", json::array()), "EarlyStopping");
  return request;
}

Outcome run_schedule(ScriptedRun request) {
  const Observed seen = run(request);
  json validations = json::array(), steps = json::array(), epoch_ends = json::array();
  for (const json& h : validations_of(seen))
    validations.push_back({h.at("epoch"), at(h, "batch_idx"), h.at("step"), at(h, "total_batch_idx")});
  for (const json& h : seen.hooks("cb", "on_train_batch_end")) steps.push_back(h.at("step"));
  for (const json& h : seen.hooks("cb", "on_train_epoch_end"))
    epoch_ends.push_back({h.at("epoch"), at(h, "batch_idx"), h.at("step")});
  const json& end = seen.final_state;
  return outcome_of(seen, {{"validations", validations},
                           {"n_validations", validations.size()},
                           {"train_batches_run", steps.size()},
                           {"global_step_after_each_batch", steps},
                           {"epoch_ends", epoch_ends},
                           {"final_current_epoch", end.value("current_epoch", json())},
                           {"final_global_step", end.value("global_step", json())},
                           {"max_epochs_resolved", end.value("max_epochs", json())},
                           {"should_stop", end.value("should_stop", 0.0) != 0}});
}

}  // namespace conformance
