// The scripted callback, and the logger that records its calls.
#include "conformance/plugins/parts.hpp"

namespace scripted {
namespace {

struct ScriptedCallback : levin::Callback {
  static constexpr levin_option options[] = {script_option};
  Script script;
  explicit ScriptedCallback(const levin::Args& o) : script(o, name()) {}

  levin_status hook(const char* which, const levin::Event& e) {
    const Place at{which, e.run(), e.batch_idx(), e.dataloader_idx(), e.raw().batch, e.loss(), e.text()};
    const levin_status status = script.enter(at, hook_arguments(host(), e), hook_keywords(e));
    if (e.raw().hook == LEVIN_HOOK_TEARDOWN) remember(e);
    return status;
  }
#define SCRIPTED(NAME, bit, member) \
  levin::Status member(const levin::Event& e) { return hook(#member, e); }
  LEVIN_FOR_EACH_HOOK(SCRIPTED)
#undef SCRIPTED

  // Records the final state of the run.
  void remember(const levin::Event& e) {
    json line = {{"final", json::object()}};
    for (const char* name : {"current_epoch", "global_step", "should_stop", "max_epochs", "max_steps"})
      line["final"][name] = number(e.run().number(name));
    const std::pair<const char*, uint32_t> sets[] = {{"callback_metrics", LEVIN_METRIC_CALLBACK},
                                                     {"logged_metrics", LEVIN_METRIC_LOGGED},
                                                     {"progress_bar_metrics", LEVIN_METRIC_PROGRESS}};
    for (const auto& [key, set] : sets) {
      line["final"][key] = json::object();
      for (const auto& [name, value] : e.run().metrics(set)) line["final"][key][name] = number(value);
    }
    record(line);
  }
  void save(levin::Writer out) const {
    if (script.records("state_dict"))
      record({{"who", script.who()}, {"hook", "state_dict"}, {"depth", Depth::now()}, {"args", json::array()}});
    out.put("state", int64_t{1});
  }
  void load(levin::Reader) {
    if (script.records("load_state_dict"))
      record({{"who", script.who()}, {"hook", "load_state_dict"}, {"depth", Depth::now()}, {"args", json::array()}});
  }
};

struct ScriptedLogger : levin::Logger {
  void line(const char* call, json more) {
    more["logger"] = name();
    more["call"] = call;
    record(more);
  }
  void begin(const levin::LoggerBegin& b) { line("begin", {{"hparams", json::parse(b.hparams_json, nullptr, false)}}); }
  void metrics(int64_t step, const levin::Metrics& m) {
    json values = json::object();
    for (uint32_t i = 0; i < m.size; ++i) values[m.names[i]] = number(m.values[i]);
    line("metrics", {{"step", step}, {"metrics", values}});
  }
  void after_save(const std::string& path) { line("after_save", {{"path", path}}); }
  void finalize(const std::string& status) { line("finalize", {{"status", status}}); }
};

}  // namespace

levin_component callback_component() {
  levin_component c = levin::callback<ScriptedCallback>("scripted_callback", "Does what its script says");
  c.hooks[1] = 0;  // remove hooks of models and of older releases
  return c;
}

levin_component logger_component() {
  return levin::logger<ScriptedLogger>("scripted_logger", "Writes down what it gets");
}

}  // namespace scripted
