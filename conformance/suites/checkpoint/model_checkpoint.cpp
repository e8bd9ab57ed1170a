// The files that ModelCheckpoint writes, keeps and links, and its state.
#include <algorithm>
#include <filesystem>

#include "callbacks/model_checkpoint/state.hpp"
#include "conformance/harness/numbers.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/trainer/trainer.hpp"

namespace conformance {
namespace {

namespace fs = std::filesystem;
using levin::model_checkpoint::State;

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

json files_of(const fs::path& folder, bool links_only = false) {
  json names = json::array();
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (!links_only || entry.is_symlink()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// A fit with a ModelCheckpoint that saves to `folder`; logs m at each validation.
ScriptedRun fit_with(const fs::path& folder, const json& options, const json& m_per_validation) {
  ScriptedRun request;
  Part checkpoint{"checkpoint", "model_checkpoint", options};
  if (!options.contains("strict")) checkpoint.options["strict"] = true;  // Lightning's default
  checkpoint.options["dirpath"] = folder.string();
  checkpoint.options["async_save"] = "off";  // the cases list the files that exist in a hook
  request.callbacks.push_back(checkpoint);
  request.data["val"] = {1};
  if (!m_per_validation.empty())
    request.script["logs"] = {{{"hook", "on_validation_epoch_end"},
                               {"name", "m"},
                               {"value", {{"list", m_per_validation}}},
                               {"kwargs", json::object()}}};
  request.callbacks[0].options["script"] = {
      {"folder", folder.string()},
      {"watch", {{"on_train_epoch_start", {"files"}}, {"on_fit_end", {"files"}}, {"on_checkpoint_durable", {"text"}}}}};
  return request;
}

json score(const std::optional<double>& value) { return value ? number_to(*value) : json(); }

json state_of(const State& s) {
  json models = json::object();
  for (const auto& [path, value] : s.top.models) models[file_name(path)] = number_to(value);
  return {{"best_model_path", file_name(s.best_path)},
          {"best_model_score", score(s.top.best_score)},
          {"kth_best_model_path", file_name(s.top.kth_path)},
          {"last_model_path", file_name(s.last_path)},
          {"best_k_models", models},
          {"current_score", score(s.top.current_score)}};
}

// The state that the callback saves to a checkpoint.
State saved_state(levin::core::Assembly& parts) {
  levin::core::StateBag bag;
  for (const auto& callback : parts.hooks.callbacks())
    if (callback->instance() == "checkpoint") callback->save(bag.writer());
  const levin_reader reader = bag.reader("");
  return levin::model_checkpoint::read_state(levin::Reader(&reader));
}

json saves_of(const Observed& seen) {
  json out = json::array();
  for (const json& h : seen.hooks("cb", "on_checkpoint_durable"))
    out.push_back({file_name(h.at("watch").at("text")), h.at("epoch"), h.at("step")});
  return out;
}

Outcome run_model_checkpoint(const Case& c) {
  const TempDir folder;
  const fs::path files = folder.path() / "files";
  ScriptedRun request = fit_with(files, c.inputs.at("ModelCheckpoint"), c.inputs.at("m_per_validation"));
  request.trainer = c.inputs.at("trainer");
  request.data["train"] = {c.inputs.at("train_batches")};
  State state;
  request.inspect = [&](levin::core::Trainer& trainer) { state = saved_state(trainer.assembly()); };
  const Observed seen = run(request);
  json out = state_of(state);
  out["files"] = files_of(files);
  out["symlinks"] = files_of(files, true);
  out["saves_in_order"] = saves_of(seen);
  out["file_history"] = json::array();
  for (const json& h : seen.hooks("cb"))
    if (h.at("hook") != "on_checkpoint_durable")
      out["file_history"].push_back({h.at("hook"), h.at("epoch"), h.at("step"), h.at("watch").at("files")});
  Outcome outcome = outcome_of(seen, out);
  if (request.trainer.value("fast_dev_run", json(false)) != false)
    outcome.decided = "ADR 9: fast_dev_run leaves nothing on the disk";
  return outcome;
}
const SuiteEntry model_checkpoint("model_checkpoint", &run_model_checkpoint);

Outcome run_save_count(const Case& c) {
  const TempDir folder;
  ScriptedRun request = fit_with(folder.path() / "files", c.inputs.at("ModelCheckpoint"), json::array());
  request.trainer = c.inputs.at("trainer");
  request.data = {{"train", {c.inputs.at("train_batches")}}, {"val", {c.inputs.at("val_batches")}}};
  const json& metric = c.inputs.at("batch_metric");
  if (!metric.is_null()) {
    json values = json::array();
    const int64_t n = c.inputs.at("train_batches").get<int64_t>() * request.trainer.value("max_epochs", int64_t{1});
    double value = metric.at("start");
    for (int64_t i = 0; i < n; ++i, value *= metric.at("factor").get<double>()) values.push_back(value);
    request.script["logs"] = {{{"hook", "training_step"},
                               {"name", metric.at("name")},
                               {"value", {{"list", values}}},
                               {"kwargs", json::object()}}};
  }
  const Observed seen = run(request);
  return outcome_of(seen, {{"n_saves", saves_of(seen).size()}});
}
const SuiteEntry save_count("checkpoint_save_count", &run_save_count);

Outcome run_again(const Case& c) {
  const TempDir folder;
  const fs::path files = folder.path() / "files";
  Outcome out;
  out.seen["files_after_each_run"] = json::array();
  for (const json& one : c.inputs.at("runs")) {
    ScriptedRun request = fit_with(files, one.at("ModelCheckpoint"), one.at("m_per_validation"));
    request.trainer = {{"max_epochs", one.at("m_per_validation").size()}};
    request.data["train"] = {c.inputs.at("train_batches")};
    const Observed seen = run(request);
    if (seen.error) return outcome_of(seen, {});
    out.seen["files_after_each_run"].push_back(files_of(files));
  }
  return out;
}
const SuiteEntry rerun("checkpoint_rerun", &run_again);

Outcome run_on_exception(const Case& c) {
  const TempDir folder;
  const fs::path files = folder.path() / "files";
  ScriptedRun request = fit_with(files, c.inputs.at("ModelCheckpoint"), c.inputs.at("m_per_validation"));
  request.trainer = c.inputs.at("trainer");
  request.data["train"] = {c.inputs.at("train_batches")};
  for (const json& deed : c.inputs.at("script")) {
    json& script = deed.value("who", "lm") == "lm" ? request.script : request.callbacks[0].options["script"];
    script["script"].push_back(deed);
  }
  const Observed seen = run(request);
  Outcome out;
  out.seen = {{"raised", seen.error.has_value() || seen.code != 0}, {"files", files_of(files)}};
  return out;
}
const SuiteEntry checkpoint_on_exception("checkpoint_on_exception", &run_on_exception);

}  // namespace
}  // namespace conformance
