// Weight averaging: the weights at each point of a fit.
#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/checkpoint/checkpoint_file.hpp"

#include <cstring>

namespace conformance {
namespace {

int64_t state_number(const levin::core::CheckpointReader& file, const std::string& callback, const char* key) {
  const auto bag = file.bag("callbacks." + callback);
  int64_t value = 0;
  std::memcpy(&value, bag.bytes().at(key).data(), sizeof value);
  return value;
}

// Returns the averaged weight and the count in a checkpoint: {weight, n_averaged}.
json averaged(const std::string& path, const std::string& callback) {
  const levin::core::CheckpointReader file(path);
  return {file.tensor("state_dict.w").item().toDouble(), state_number(file, callback, "n_averaged")};
}

std::string component(const std::string& callback) {
  return callback == "EMAWeightAveraging" ? "ema_weight_averaging" : component_id(callback);
}

json all(const Observed& seen, const char* at, const char* key) {
  json out = json::array();
  for (const json& line : seen.records)
    if (line.value("at", "") == at) out.push_back(line.at(key));
  return out;
}

Outcome run_averaging(const Case& c) {
  const std::string callback = component(c.inputs.at("callback"));
  const TempDir checkpoints;
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.datamodule = true;
  request.data = {{"train", {c.inputs.at("train_batches")}}};
  request.model = "steady";
  request.settings = {{"model.checkpoints", checkpoints.path().string()}};
  request.callbacks.push_back({callback, callback, c.inputs.at("options")});
  const Observed seen = run(request);
  if (seen.error) return outcome_of(seen, json::object());
  json batches = json::array(), final_w, end;
  for (const json& line : seen.records) {
    const std::string at = line.value("at", "");
    if (at == "on_fit_end") final_w = line.at("w"), end = line.at("checkpoint");
    if (at != "on_train_batch_end" || !c.expected.contains("per_batch")) continue;
    const json average = averaged(line.at("checkpoint"), callback);
    batches.push_back({line.at("w"), average[0], average[1]});
  }
  json out = {{"per_batch", batches},
              {"w_seen_in_validation", all(seen, "validation_step", "w")},
              {"w_at_each_epoch_end", all(seen, "on_train_epoch_end", "w")},
              {"lr_per_batch", all(seen, "on_train_batch_start", "lr")},
              {"final_w", final_w},
              {"n_averaged", averaged(end, callback)[1]}};
  if (c.expected.contains("swa_start_0based")) {
    const levin::core::CheckpointReader file(end.get<std::string>());
    out["swa_start_0based"] = state_number(file, callback, "swa_start");
    out["swa_end_0based"] = state_number(file, callback, "swa_end");
  }
  return outcome_of(seen, out);
}

const SuiteEntry averaging("weight_averaging", &run_averaging);

}  // namespace
}  // namespace conformance
