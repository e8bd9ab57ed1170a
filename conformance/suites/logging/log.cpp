// log(): the values sent to loggers, and those seen by callbacks and the progress bar.
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

bool overrides(const json& logs) {
  for (const json& log : logs) {
    const std::string hook = log.at("hook");
    if (hook.compare(0, 3, "on_") != 0 && hook.find("_step") == std::string::npos) return true;
    if (hook == "optimizer_step" || hook == "lr_scheduler_step" || hook.find("transfer") != std::string::npos)
      return true;
  }
  return false;
}

ScriptedRun log_request(const json& inputs) {
  ScriptedRun request;
  request.calls = {inputs.value("fn", "fit")};
  request.trainer = inputs.at("trainer");
  const json& logs = inputs.at("logs");
  request.model = overrides(logs) ? "recorded" : "scalar";
  request.script["optimizers"] = {{{"name", "sgd"}, {"options", {{"lr", 0.0}}}}};
  request.add_logs(logs);
  if (inputs.contains("hparams")) request.script["hparams"] = inputs.at("hparams");
  const int64_t batch_size = inputs.value("batch_size", int64_t{1});
  request.data["batch_size"] = batch_size;
  const int64_t train = inputs.value("dataset_len", inputs.value("train_batches", int64_t{1}));
  const int64_t val = inputs.value("dataset_len", inputs.value("val_batches", int64_t{2}));
  request.data["train"] = {train};
  for (const char* split : {"val", "test", "predict"}) {
    request.data[split] = {val};
    if (inputs.contains("eval_loader_lengths")) request.data[split] = inputs.at("eval_loader_lengths");
  }
  if (inputs.value("logger", true)) request.loggers = {{"recorder", "scripted_logger", json::object()}};
  return request;
}

json hparams_of(const Observed& seen) {
  json out = json::array();
  for (const json& line : seen.records)
    if (line.contains("logger") && line.at("call") == "begin")
      out.push_back(line.at("hparams").at("model").at("options").at("script").at("hparams"));
  return out;
}

Outcome run_log(const Case& c) {
  if (c.inputs.value("world_size", 1) != 1) {
    Outcome several;
    several.not_applicable = "one process trains; several ranks are refused";
    return several;
  }
  const Observed seen = run(log_request(c.inputs));
  json steps = json::array();
  for (const json& call : seen.logger_calls()) steps.push_back(call[1]);
  Outcome out = outcome_of(seen, {{"logger_calls", seen.logger_calls()},
                                  {"logger_other", seen.logger_other()},
                                  {"logger_steps", steps},
                                  {"returned", seen.results}});
  for (const char* set : {"logged_metrics", "callback_metrics", "progress_bar_metrics"})
    out.seen[set] = seen.final_state.value(set, json());
  if (c.expected.contains("log_hyperparams_calls")) out.seen["log_hyperparams_calls"] = hparams_of(seen);
  return out;
}

const SuiteEntry log_fit("log_fit", &run_log);
const SuiteEntry log_reduce("log_reduce", &run_log);
const SuiteEntry log_multi_dataloader("log_multi_dataloader", &run_log);
const SuiteEntry log_every_n_steps("log_every_n_steps", &run_log);
const SuiteEntry log_sync_dist("log_sync_dist", &run_log);

}  // namespace
}  // namespace conformance
