#include "conformance/harness/scripted_run.hpp"

#include <algorithm>

#include "conformance/harness/compare.hpp"
#include "conformance/harness/names.hpp"
#include "conformance/harness/numbers.hpp"
#include "core/base/error.hpp"
#include "core/logging/metrics/log_rules.hpp"
#include "core/trainer/trainer.hpp"
#include "host/cli/embedded.hpp"
#include "host/compose/run_builder.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

class Settings {
 public:
  void add(const std::string& key, json value) {
    list_.push_back({key, std::move(value), "the case", core::rank_command_line});
  }
  // Replaces the values added for the key.
  void replace(const std::string& key, json value) {
    const auto same = [&](const core::Setting& s) { return s.key == key; };
    list_.erase(std::remove_if(list_.begin(), list_.end(), same), list_.end());
    add(key, std::move(value));
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
  for (const auto& [key, value] : request.settings) s.replace(key, value);
  return s.take();
}

core::Command command_of(const std::string& name) { return core::value_named<core::Command>(name).value(); }

void call_all(const ScriptedRun& request, core::Trainer& trainer, Observed& out) {
  for (const std::string& call : request.calls) {
    add_record({{"entry", call}, {"first", &call == &request.calls.front()}});
    out.code = trainer.run(command_of(call), request.ckpt_path);
    if (call != "validate" && call != "test") continue;
    core::Assembly& a = trainer.assembly();
    out.results.clear();
    for (const core::OrderedMetrics& loader : (call == "test" ? a.loops.test : a.loops.validation).results()) {
      json metrics = json::object();
      for (const auto& [name, value] : loader.items()) metrics[name] = number_to(value);
      out.results.push_back(metrics);
    }
  }
}

bool holds(const json& list, const std::string& name) {
  return std::find(list.begin(), list.end(), json(name)) != list.end();
}

// Records the events that the dispatcher sends to built-in callbacks, which record nothing themselves.
void trace(const json& wanted, core::Trainer& trainer) {
  core::Assembly& parts = trainer.assembly();
  const auto told = [&wanted, &parts](const std::string& who, core::LogOrigin hook, bool entering) {
    if (!wanted.contains(who) || !holds(wanted.at(who), core::origin_name(hook))) return;
    if (entering)
      add_record({{"who", who},
                  {"hook", core::origin_name(hook)},
                  {"depth", 0},
                  {"args", json::array()},
                  {"epoch", parts.progress.current_epoch()},
                  {"step", parts.progress.global_step()}});
    deepen_records(entering ? 1 : -1);
  };
  parts.hooks.origin().set_trace(told);
}

void take_states(core::Trainer& trainer, Observed& out) {
  for (const auto& callback : trainer.assembly().hooks.callbacks()) {
    const levin_writer writer = out.states[callback->instance()].writer();
    callback->save(writer);
  }
}

void attempt(const ScriptedRun& request, Observed& out) {
  core::RunRequest wanted;
  wanted.command = core::Command::fit;
  if (!request.calls.empty()) wanted.command = command_of(request.calls.front());
  if (request.defaults)
    wanted.settings = core::settings_from_config(core::parse_json_document(core::default_config_text, "default.json"),
                                                 "default.json", core::rank_default);
  for (core::Setting& setting : settings_of(request, out.root.string())) wanted.settings.push_back(std::move(setting));
  core::BuiltRun built = core::build_run(std::move(wanted), plugins());
  for (const std::string& warning : built.warnings) out.lines.push_back(warning);
  core::Console console([&out](int32_t, const std::string& line) { out.lines.push_back(line); });
  core::Trainer trainer(std::move(built.config), console);
  trainer.return_predictions(request.return_predictions);
  if (!request.trace.empty()) trace(request.trace, trainer);
  try {
    call_all(request, trainer, out);
  } catch (const core::Error& e) {
    out.error = e.what();
  }
  if (request.inspect) request.inspect(trainer);
  take_states(trainer, out);
}

}  // namespace

Part& ScriptedRun::observer() {
  for (Part& part : callbacks)
    if (part.name == "cb") return part;
  callbacks.push_back({"cb", "scripted_callback", json::object()});
  return callbacks.back();
}

void ScriptedRun::add_script(const json& deeds) {
  for (const json& deed : deeds) {
    json& to = deed.value("who", "lm") == "cb" ? observer().options["script"] : script;
    to["script"].push_back(deed);
  }
}

void ScriptedRun::add_callbacks(const json& list, const std::string& default_class) {
  for (json options : list) {
    const std::string id = component_id(options.value("name", default_class));
    options.erase("name");
    std::string name = id;
    const auto taken = [&](const Part& part) { return part.name == name; };
    for (int n = 2; std::any_of(callbacks.begin(), callbacks.end(), taken); ++n) name = id + "_" + std::to_string(n);
    callbacks.push_back({name, id, options});
  }
}

void ScriptedRun::add_logs(const json& calls_of_log) {
  for (const json& call : calls_of_log) {
    json& to = call.value("who", "lm") == "cb" ? observer().options["script"] : script;
    to["logs"].push_back(call);
  }
}

Observed run(const ScriptedRun& request) {
  Observed out;
  out.root = request.root;
  if (request.root.empty()) {
    out.folder = std::make_shared<TempDir>();
    out.root = out.folder->path();
  }
  take_records();
  std::unique_ptr<OutputCapture> capture;
  if (request.captures_output) capture = std::make_unique<OutputCapture>();
  try {
    attempt(request, out);
  } catch (const core::Error& e) {
    out.error = e.what();
  }
  if (capture) out.output = capture->take();
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
