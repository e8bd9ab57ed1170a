#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

Outcome run_val_schedule(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data = {{"train", {c.inputs.at("train_batches")}},
                  {"val", {c.inputs.at("val_batches")}},
                  {"sized", c.inputs.at("sized")}};
  request.callbacks[0].options["script"] = {{"watch",
                                             {{"on_validation_start", {"batch_idx", "total_batch_idx"}},
                                              {"on_train_batch_end", json::array()},
                                              {"on_train_epoch_end", {"batch_idx"}}}}};
  const Observed seen = run(request);
  json validations = json::array(), steps = json::array(), epoch_ends = json::array();
  for (const json& h : seen.hooks("cb")) {
    if (h.at("hook") == "on_validation_start" && h.at("stage") != "sanity_check")
      validations.push_back(
          {h.at("epoch"), h.at("watch").at("batch_idx"), h.at("step"), h.at("watch").at("total_batch_idx")});
    if (h.at("hook") == "on_train_batch_end") steps.push_back(h.at("step"));
    if (h.at("hook") == "on_train_epoch_end")
      epoch_ends.push_back({h.at("epoch"), h.at("watch").at("batch_idx"), h.at("step")});
  }
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

const SuiteEntry val_schedule("val_schedule", &run_val_schedule);

}  // namespace
}  // namespace conformance
