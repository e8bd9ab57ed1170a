// The counters of the loops, at hooks and in checkpoints, and the estimated number of steps.
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/checkpoint/checkpoint_file.hpp"

namespace conformance {
namespace {

json keys_of(const json& object) {
  json keys = json::array();
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

// Converts to a flag where the case has true or false.
json as_expected(double value, const json& expected) { return expected.is_boolean() ? json(value != 0) : json(value); }

Outcome run_loop_progress(const Case& c) {
  const json& snapshots = c.expected.at("snapshots");
  const json first = snapshots.empty() ? json::object() : snapshots[0].at("progress");
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  const std::string hook = c.inputs.at("captured_in");
  request.callbacks[0].options["script"] = {{"watch", {{hook, keys_of(first)}}}};
  const Observed seen = run(request);
  json out = json::array();
  for (const json& h : seen.hooks("cb", hook)) {
    if (h.at("stage") == "sanity_check") continue;
    json progress = json::object();
    for (const auto& [key, value] : h.at("watch").items()) progress[key] = as_expected(value, first.at(key));
    out.push_back({{"current_epoch", h.at("epoch")}, {"global_step", h.at("step")}, {"progress", progress}});
  }
  return outcome_of(seen, {{"snapshots", out}});
}

// Returns a counter of a checkpoint's loops; name: e.g. "epoch_loop.batch_progress.total.ready".
json count_of(const json& loops, const std::string& name) {
  const size_t field = name.rfind('.');
  if (name == "batches_that_stepped") return loops.at(name);
  if (name.compare(field + 1, std::string::npos, "is_last_batch") == 0)
    return loops.at(name.find("val_loop") == std::string::npos ? "is_last_batch" : "is_last_val_batch");
  const size_t scope = name.rfind('.', field - 1);
  return loops.at("progress")
      .at(name.substr(0, scope))
      .at(name.substr(scope + 1, field - scope - 1))
      .at(name.substr(field + 1));
}

Outcome run_progress_on_exception(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data["train"] = {4};
  request.script["script"] = json::array();
  json callback_deeds = json::array();
  for (const json& deed : c.inputs.at("script"))
    (deed.value("who", "lm") == "lm" ? request.script["script"] : callback_deeds).push_back(deed);
  request.callbacks[0].options["script"] = {{"script", callback_deeds}};
  const std::shared_ptr<TempDir> folder = std::make_shared<TempDir>();
  request.callbacks.push_back({"saver", "on_exception_checkpoint", {{"dirpath", folder->path()}}});
  const Observed seen = run(request);
  const std::string file = std::string(folder->path()) + "/on_exception.ckpt";
  const levin::core::CheckpointReader reader(file);
  const json& loops = reader.manifest().at("loops");
  json progress = json::object();
  for (const auto& [key, value] : c.expected.at("progress").items()) progress[key] = count_of(loops, key);
  Outcome out;
  out.seen = {{"progress", progress},
              {"epoch", reader.manifest().at("epoch")},
              {"global_step", reader.manifest().at("global_step")},
              {"optimizer_steps", seen.error ? loops.at("global_step") : json()}};
  return out;
}

Outcome run_estimated_stepping_batches(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.trainer["limit_val_batches"] = 0;
  request.data["train"] = {c.inputs.at("train_batches")};
  request.script = {{"watch", {{"configure_optimizers", {"estimated_stepping_batches"}}}},
                    {"script", {{{"hook", "on_train_batch_end"}, {"do", "should_stop"}}}}};
  const Observed seen = run(request);
  const auto asked = seen.hooks("lm", "configure_optimizers");
  return outcome_of(seen, {{"estimated_stepping_batches",
                            asked.empty() ? json() : asked[0].at("watch").at("estimated_stepping_batches")}});
}

const SuiteEntry loop_progress("loop_progress", &run_loop_progress);
const SuiteEntry on_exception("loop_progress_on_exception", &run_progress_on_exception);
const SuiteEntry estimated("estimated_stepping_batches", &run_estimated_stepping_batches);

}  // namespace
}  // namespace conformance
