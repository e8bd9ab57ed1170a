// The batch sizes that the batch-size finder tries.
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/base/file.hpp"

namespace conformance {
namespace {

Outcome run_batch_size_finder(const Case& c) {
  const json& in = c.inputs;
  ScriptedRun request;
  request.calls = {"tune"};
  request.trainer = {{"max_epochs", 1}, {"limit_val_batches", 0}};
  request.datamodule = true;
  request.data = {{"train", {in.at("dataset_len")}}};
  request.model = "tuned";
  request.settings = {{"model.lr", 0.0}};
  if (!in.at("oom_if_batch_size_gt").is_null())
    request.settings.push_back({"model.out_of_memory_above", in.at("oom_if_batch_size_gt")});
  json options = json::object();
  for (const char* key : {"mode", "init_val", "max_trials", "steps_per_trial", "margin", "max_val"})
    options[key] = in.at(key);
  request.callbacks = {{"cb", "scripted_callback", {}}, {"batch_size_finder", "batch_size_finder", options}};
  const Observed seen = run(request);
  if (seen.error) return outcome_of(seen, json::object());
  const auto dir = seen.root / "levin_logs" / "version_0";
  const json found = json::parse(levin::core::read_file(dir / "batch_size.json"));
  const json config = json::parse(levin::core::read_file(dir / "config.json"));
  return outcome_of(seen, {{"result", found.at("batch_size")},
                           {"tried", found.at("tried")},
                           {"batch_size_after", config.at("loader").at("batch_size")}});
}

const SuiteEntry batch_size_finder("batch_size_finder", &run_batch_size_finder);

}  // namespace
}  // namespace conformance
