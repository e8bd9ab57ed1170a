// A callback with every hook, a logger that records its calls, and callbacks that fail at creation.
#include <levin/levin.hpp>

#include "script.hpp"

namespace {

using namespace scripted;

std::string place(const levin::Event& e) {
  return " " + std::to_string(e.epoch()) + " " + std::to_string(e.global_step());
}

struct Recorder : levin::Callback {
  static constexpr levin_option options[] = {do_option, at_option, batch_option, epoch_option};
  const Script script;
  int64_t batches = 0;
  explicit Recorder(const levin::Args& o) : script(o) {
    if (script.now("create", -1, -1)) script.perform();
  }
  ~Recorder() { record(name() + ".destroy"); }
  levin_status hook(const char* which, const levin::Event& e) {
    record(name() + "." + which + place(e));
    if (e.raw().hook == LEVIN_HOOK_TRAIN_BATCH_END) ++batches;
    if (script.is("save") && script.now(which, e.batch_idx(), e.epoch())) e.run().save_checkpoint("again.ckpt");
    return script.at(which, e.batch_idx(), e.epoch());
  }
#define RECORD(NAME, bit, member) \
  levin::Status member(const levin::Event& e) { return hook(#member, e); }
  LEVIN_FOR_EACH_HOOK(RECORD)
#undef RECORD
  void save(levin::Writer out) const {
    record(name() + ".state_dict");
    out.put("batches", batches);
  }
  void load(levin::Reader in) { in.get("batches", batches); }
};

struct NullCallback : levin::Callback {
  void on_fit_start() {}
};

levin_component null_callback() {
  levin_component c = levin::callback<NullCallback>("null_callback", "Creation hands over nothing");
  c.create = [](const levin_host*, const levin_create*, void**, const levin_object**) -> levin_status {
    return LEVIN_OK;
  };
  return c;
}

levin_component raw_thrower() {
  levin_component c = levin::callback<NullCallback>("raw_thrower", "Creation throws across the border");
  c.create = [](const levin_host*, const levin_create*, void**, const levin_object**) -> levin_status { throw 7; };
  return c;
}

struct RecordingLogger : levin::Logger {
  static constexpr levin_option options[] = {do_option, at_option, batch_option, epoch_option};
  const Script script;
  explicit RecordingLogger(const levin::Args& o) : script(o) {}
  void line(const char* call, const std::string& text) {
    record("log." + std::string(call) + text);
    script.at(call, -1, -1);
  }
  void begin(const levin::LoggerBegin& b) {
    line("begin", b.resumed_step < 0 ? "" : " " + std::to_string(b.resumed_step));
  }
  void metrics(int64_t step, const levin::Metrics& m) {
    std::string text = " " + std::to_string(step);
    for (uint32_t i = 0; i < m.size; ++i) {
      char value[40];
      std::snprintf(value, sizeof value, "%.17g", m.values[i]);
      text += std::string(" ") + m.names[i] + "=" + value;
    }
    line("metrics", text);
  }
  void flush() { line("flush", ""); }
  void finalize(const std::string& status) { line("finalize", " " + status); }
};

}  // namespace

LEVIN_PLUGIN("levin.test.portable", "1.0.0", "Apache-2.0",
             levin::callback<Recorder>("recorder", "Writes down its calls"), null_callback(), raw_thrower(),
             levin::logger<RecordingLogger>("recording_logger", "Writes down what it gets"))
