#include "conformance/harness/scripted_run.hpp"

#include "conformance/compare.hpp"
#include "conformance/harness/numbers.hpp"
#include "core/base/error.hpp"
#include "core/config/run_builder.hpp"
#include "core/trainer/trainer.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

class Settings {
 public:
  void add(const std::string& key, json value) {
    list_.push_back({key, std::move(value), "the case", core::rank_command_line});
  }
  void part(const std::string& group, const Part& part) {
    const std::string key = group + "." + part.name;
    if (part.component.empty()) return add(key, false);
    add(key, part.component);
    for (const auto& [option, value] : part.options.items()) add(key + "." + option, value);
  }
  std::vector<core::Setting> take() { return std::move(list_); }

 private:
  std::vector<core::Setting> list_;
};

std::vector<core::Setting> settings_of(const ScriptedRun& request, const std::string& root) {
  Settings s;
  json trainer = {{"accelerator", "cpu"}, {"default_root_dir", root}};
  trainer.update(request.trainer);
  json script = request.script;
  if (!request.model.empty()) s.add("model", request.model);
  if (request.datamodule) {
    s.add("data", "scripted_data");
    s.add("data.script", request.data);
  } else {
    script["data"] = request.data;
    if (script.contains("record") && !script["data"].contains("record")) script["data"]["record"] = script["record"];
  }
  if (!request.model.empty()) s.add("model.script", script);
  s.add("data.batch_size", request.data.value("batch_size", 1));
  s.add("data.shuffle", false);
  for (const Part& part : request.callbacks) s.part("callback", part);
  for (const Part& part : request.loggers) s.part("logger", part);
  for (const auto& [flag, value] : trainer.items()) s.add("trainer." + flag, value);
  if (!request.ckpt_path.empty()) s.add("ckpt_path", request.ckpt_path);
  for (const auto& [key, value] : request.settings) s.add(key, value);
  return s.take();
}

void call_all(const ScriptedRun& request, core::Trainer& trainer, Observed& out) {
  for (const std::string& call : request.calls) {
    out.code = trainer.run(call, request.ckpt_path);
    if (call != "validate" && call != "test") continue;
    core::Assembly& a = trainer.assembly();
    out.results.clear();
    for (const core::OrderedMetrics& loader : (call == "test" ? *a.test : *a.validation).results()) {
      json metrics = json::object();
      for (const auto& [name, value] : loader.items()) metrics[name] = number_to(value);
      out.results.push_back(metrics);
    }
  }
}

void attempt(const ScriptedRun& request, Observed& out) {
  core::RunRequest wanted;
  wanted.command = request.calls.front();
  wanted.settings = settings_of(request, out.root.string());
  core::BuiltRun built = core::build_run(std::move(wanted), plugins());
  for (const std::string& warning : built.warnings) out.lines.push_back(warning);
  core::Console console([&out](int32_t, const std::string& line) { out.lines.push_back(line); });
  core::Trainer trainer(std::move(built.config), console);
  try {
    call_all(request, trainer, out);
  } catch (const core::Error& e) {
    out.error = e.what();
  }
  if (request.inspect) request.inspect(trainer);
}

}  // namespace

Observed run(const ScriptedRun& request) {
  Observed out;
  out.root = request.root;
  if (request.root.empty()) {
    out.folder = std::make_shared<TempDir>();
    out.root = out.folder->path();
  }
  take_records();
  try {
    attempt(request, out);
  } catch (const core::Error& e) {
    out.error = e.what();
  }
  out.records = take_records();
  for (const json& line : out.records)
    if (line.contains("final")) out.final_state = line.at("final");
  return out;
}

std::vector<json> Observed::hooks(const std::string& who, const std::string& hook) const {
  std::vector<json> found;
  for (const json& line : records)
    if (line.contains("hook") && (who.empty() || line.at("who") == who) && (hook.empty() || line.at("hook") == hook))
      found.push_back(line);
  return found;
}

json Observed::losses() const {
  json found = json::array();
  for (const json& line : hooks("", "on_train_batch_end"))
    if (line.contains("watch") && line.at("watch").contains("loss")) found.push_back(line.at("watch").at("loss"));
  return found;
}

json Observed::weights() const {
  json found = json::array();
  for (const json& line : records)
    if (line.contains("weights")) found.push_back(line.at("weights"));
  return found;
}

json Observed::logger_calls() const {
  json found = json::array();
  for (const json& line : records)
    if (line.contains("logger") && line.at("call") == "metrics") found.push_back({line.at("metrics"), line.at("step")});
  return found;
}

json Observed::logger_other() const {
  json found = json::array();
  for (const json& line : records)
    if (line.contains("logger") && line.at("call") == "finalize")
      found.push_back("finalize:" + line.at("status").get<std::string>());
  return found;
}

Outcome outcome_of(const Observed& observed, json seen) {
  Outcome outcome;
  outcome.seen = std::move(seen);
  outcome.error = observed.error;
  return outcome;
}

}  // namespace conformance
