// Loggers with every function of a logger, on the training thread (near) and on another one (far), which record their
// calls; and a callback that logs.
#include <levin/levin.hpp>

#include <chrono>
#include <thread>

#include "script.hpp"

namespace {

using scripted::record;

template <bool off>
struct Wire : levin::Logger {
  static constexpr bool off_thread = off;
  static constexpr levin_option options[] = {
      scripted::do_option,
      scripted::at_option,
      scripted::batch_option,
      scripted::epoch_option,
      levin::flag("stuck", "false", "the first row of metrics takes for ever"),
      levin::text("id", "\"fresh\"", "of the remote run, where there is none"),
      {"key", LEVIN_T_STRING, LEVIN_OPT_SECRET, "\"\"", "of the remote service", 1, 0, nullptr, nullptr, nullptr}};
  const scripted::Script script;
  const bool stuck;
  std::string id;
  explicit Wire(const levin::Args& o) : script(o), stuck(o.flag("stuck")), id(o.text("id")) {}

  void line(const char* call, const std::string& text = "") {
    record(name() + "." + call + (text.empty() ? "" : " " + text));
    script.at(call, -1, -1);
  }
  void begin(const levin::LoggerBegin& b) {
    std::string text = id + " " + std::to_string(b.resumed_step) + " '" + b.run_name + "'";
    for (const std::string& tag : b.tags) text += " #" + tag;
    if (const levin::HParam* epochs = b.hparams.find("trainer.max_epochs"))
      text += " max_epochs=" + std::to_string(epochs->integer());
    line("begin", text + (b.hparams.find("model.no_such") ? "?" : ""));
  }
  std::string url() const {
    script.at("url", -1, -1);
    return "https://example.org/" + id;
  }
  void metrics(int64_t step, const levin::Metrics& m) {
    while (stuck) std::this_thread::sleep_for(std::chrono::seconds(1));
    std::string text = std::to_string(step);
    for (uint32_t i = 0; i < m.size; ++i) text += std::string(" ") + m.names[i] + "=" + levin::shortest(m.values[i]);
    line("metrics", text);
  }
  void media(const levin_media& m) {
    line("media", std::string(m.kind) + " " + m.tag + " " + std::to_string(m.step) + (m.caption ? m.caption : ""));
  }
  void artifact(const levin::Artifact& a) { line("artifact", a.name + " " + a.type); }
  void hparams(const std::string& json) { line("hparams", json); }
  void after_save(const levin::Saved& s) {
    line("after_save", s.path.substr(s.path.rfind('/') + 1) + (s.best ? " best" : "") + (s.last ? " last" : "") + " " +
                           s.monitor + (std::isfinite(s.score) ? " scored " : " ") + std::to_string(s.epoch) + " " +
                           std::to_string(s.global_step));
  }
  void flush() { line("flush"); }
  void finalize(const std::string& status) { line("finalize", status); }
  void save(levin::Writer out) const { out.put("id", id + "-again"); }
  void load(levin::Reader in) {
    in.get("id", id);
    line("load", id);
  }
};

struct Shower : levin::Callback {
  static constexpr levin_option options[] = {levin::flag("mistake", "false", "shows an image of a wrong shape"),
                                             levin::flag("early", "false", "shows something in setup")};
  const bool mistake, early;
  explicit Shower(const levin::Args& o) : mistake(o.flag("mistake")), early(o.flag("early")) {}

  void setup(const levin::Event& e) {
    e.run().hparams("{\"data.found\": 3}");
    if (early) e.run().media(levin::Media::text("early", "x"));
  }
  void on_train_batch_end(const levin::Event& e) {
    if (e.batch_idx() == 0) show(e);
  }
  void on_train_epoch_end(const levin::Event& e) {
    show(e);
    e.run().log("at_end", 1);
    e.run().log_now(-1, {{"now", 1}});
  }
  void on_train_end(const levin::Event& e) {
    e.run().artifact(e.run().run_dir() + "/config.json", "", "config");
    e.run().hparams("{\"model.width\": 64}");
  }
  void show(const levin::Event& e) const {
    const std::vector<uint8_t> pixels(12, 200);
    const int64_t channels = mistake ? 6 : 3;
    e.run().media(levin::Media::image("pixels", pixels.data(), 2, 6 / channels, channels).caption(" grey"));
    e.run().media(levin::Media::table("cells", {"a", "b"}, {{1, "x"}, {2.5, true}}));
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.loggers", "1.0.0", "Apache-2.0",
             levin::logger<Wire<false>>("near", "Writes down what it gets"),
             levin::logger<Wire<true>>("far", "The same on a thread of its own"),
             levin::callback<Shower>("shower", "Gives loggers something"))
