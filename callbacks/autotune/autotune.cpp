// Measures settings of speed before a fit with steps that are undone, and trains with the fastest ones.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "choices.hpp"
#include "levin/callback.hpp"
#include "levin/util/clock.hpp"
#include "report.hpp"
#include "rounds.hpp"
#include "settings.hpp"

namespace levin::autotune {
namespace {

using nlohmann::json;

// A trial of the run. The destructor ends it, which restores the state of the run.
class Trial {
 public:
  explicit Trial(const Run& run) : run_(run) { detail::check(run.trial().begin(run.raw()), "begin"); }
  ~Trial() { run_.trial().end(run_.raw()); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Returns the seconds of a step.
  double steps(int64_t n) const {
    run_.synchronize();
    const double start = steady_seconds();
    double loss = 0;
    detail::check(run_.trial().step(run_.raw(), n, &loss), "a training step");
    run_.synchronize();
    return (steady_seconds() - start) / static_cast<double>(n);
  }

 private:
  const Run& run_;
};

constexpr double seconds_of_block = 0.03;  // in which a value is measured once

// The number of steps that take about seconds_of_block.
int64_t steps_of_block(const Trial& trial) {
  trial.steps(3);
  int64_t n = 1;
  while (n < 1000) {
    const double step = std::max(trial.steps(n), 1e-6);
    if (step * static_cast<double>(n) > seconds_of_block / 2)
      return std::clamp(static_cast<int64_t>(seconds_of_block / step), int64_t{1}, int64_t{1000});
    n = std::min<int64_t>(2 * n, 1000);
  }
  return n;
}

// The parts of the configuration that decide how long a step takes.
json configuration(const Run& run) {
  const json all = json::parse(run.config(), nullptr, /*allow_exceptions=*/false);
  json out = json::object();
  if (!all.is_object()) return out;
  for (const char* group : {"model", "data", "loader"}) out[group] = all.value(group, json());
  const json trainer = all.value("trainer", json::object());
  for (const char* option : {"accelerator", "accumulate_grad_batches", "benchmark", "detect_anomaly", "deterministic",
                             "devices", "gradient_clip_val", "precision", "strategy", "truncated_bptt_steps"})
    out["trainer"][option] = trainer.value(option, json());
  return out;
}

class Autotune : public Callback {
 public:
  static constexpr levin_option options[] = {
      flag("tune", "true", "measure settings and choose; false = off"),
      number("max_seconds", "20", "maximum time of all measurements in seconds", 0.1, 86400),
  };
  static constexpr levin_flag claims[] = {
      {"autotune", "tune",
       "measure memory format, CPU kernels, threads and loader workers before the fit; train with the fastest"}};
  static constexpr uint64_t flags = LEVIN_F_OFF_IN_FAST_DEV_RUN | LEVIN_F_ONE_ONLY;

  explicit Autotune(const Args& args) : tunes_(args.flag("tune")), max_seconds_(args.number("max_seconds")) {}

  void setup(const Event& event) {
    if (tunes_ && !known_ && event.stage() != Stage::fit) warn("measures training steps only; this command has none");
  }

  void on_fit_start(const Event& event) {
    if (!tunes_) return;
    const Run run = event.run();
    if (known_) return use(run);  // chosen before the resume
    known_ = true;
    if (const std::string why = why_not(run); !why.empty()) return warn("measures nothing: " + why);
    if (!use_kept(run)) measure(run);
  }

  void save(Writer writer) const {
    writer.put("known", static_cast<int32_t>(known_));
    writer.put("chosen", json(chosen_).dump());
  }
  void load(Reader reader) {
    int32_t known = 0;
    std::string chosen;
    if (!reader.get("known", known) || !reader.get("chosen", chosen)) return;
    known_ = known != 0;
    read_chosen(json::parse(chosen, nullptr, /*allow_exceptions=*/false));
  }

 private:
  static std::string why_not(const Run& run) {
    const json deterministic = configuration(run).value("trainer", json::object()).value("deterministic", json());
    if (!deterministic.is_null() && deterministic != false)
      return "trainer.deterministic promises results that no measurement changes";
    if (run.world_size() > 1) return "all processes have to choose the same, which works with one process only";
    if (run.all_devices().size() > 1) return "the run uses several devices";
    if (run.resumed()) return "a resumed run keeps the settings that it began with";
    return "";
  }

  // Takes what is a choice of a known setting. Returns false if something is not.
  bool read_chosen(const json& chosen) {
    chosen_.clear();
    bool all = chosen.is_object();
    for (const Setting& setting : settings()) {
      if (!chosen.is_object() || !chosen.contains(setting.name)) continue;
      const json& value = chosen[setting.name];
      all = all && value.is_number_integer() && value >= 0 && value <= 1024;
      if (all) chosen_[setting.name] = value.get<int64_t>();
    }
    if (!all) chosen_.clear();
    return all;
  }

  static bool is_given(const Run& run, const Setting& setting) {
    return !run.text((std::string("origin.") + setting.option).c_str()).empty();
  }

  void use(const Run& run) const {
    for (const Setting& setting : settings()) {
      const auto found = chosen_.find(setting.name);
      if (found == chosen_.end() || is_given(run, setting)) continue;
      if (run.integer(setting.name) != found->second) run.set(setting.name, static_cast<double>(found->second));
      run.set_option(setting.option, setting.json(found->second));
    }
  }

  static Situation situation_of(const Run& run) {
    Situation out;
    out.stream = run.train_rows() < 0;
    out.gpu = run.all_devices().at(0).type != LEVIN_CPU;
    for (const Field& field : run.data().fields(Split::train)) out.images = out.images || field.shape.size() == 3;
    return out;
  }

  json key_of(const Run& run) const {
    json key = configuration(run);
    for (const Field& f : run.data().fields(Split::train))
      key["fields"].push_back({f.dtype.code, f.dtype.bits, f.dtype.lanes, f.shape});
    for (const Setting& setting : settings())
      key["settings"][setting.name] = {run.integer(setting.name), is_given(run, setting)};
    key["batch_size"] = run.batch_size();
    key["max_seconds"] = max_seconds_;
    key["machine"] = machine();
    key["gpu"] = situation_of(run).gpu;
    key["versions"] = {host()->version, run.text("torch_version")};
    return key;
  }

  bool use_kept(const Run& run) {
    const auto file = choices_file();
    std::string damage;
    const auto choice = read_choice(file, key_of(run), damage);
    if (!damage.empty()) warn("ignores " + file.string() + ": " + damage);
    if (!choice) return false;
    if (!read_chosen(choice->value("chosen", json()))) {
      warn("ignores its choice in " + file.string() + ", which is damaged");
      return false;
    }
    std::string what;
    for (const auto& [name, value] : chosen_) what += (what.empty() ? "" : ", ") + name + " " + std::to_string(value);
    run.print("autotune: as chosen in an earlier run: " + (what.empty() ? "nothing is changed" : what) + "\n  (" +
              file.string() + ")");
    write_record(run, *choice);
    use(run);
    return true;
  }

  void measure(const Run& run) {
    const json key = key_of(run);
    Report report;
    const double start = steady_seconds();
    try {
      if (!measure_all(run, report)) return void(known_ = false);
    } catch (const Error& e) {
      chosen_.clear();
      return warn(std::string("measures nothing: ") + e.what());
    }
    report.seconds = steady_seconds() - start;
    run.print(report.text());
    json choice = report.to_json();
    choice["chosen"] = chosen_;
    write_record(run, choice);
    use(run);
    const auto file = choices_file();
    if (const std::string why = keep_choice(file, key, choice); !why.empty())
      info("its choice is not kept for later runs" + (file.empty() ? "" : " in " + file.string()) + ": " + why);
  }

  // Returns false if the user has interrupted the run.
  bool measure_all(const Run& run, Report& report) {
    const Situation situation = situation_of(run);
    const Trial trial(run);
    const int64_t n = steps_of_block(trial);
    const double end = steady_seconds() + max_seconds_;
    for (size_t i = 0; i < settings().size(); ++i) {
      const Setting& setting = settings()[i];
      const double now = steady_seconds();
      const double share = now + std::max(0.0, end - now) / static_cast<double>(settings().size() - i);
      const auto may_go_on = [&] { return steady_seconds() < share && !run.is("interrupted"); };
      report.rows.push_back(measure_one(run, trial, setting, situation, n, may_go_on));
      const ReportRow& row = report.rows.back();
      if (row.chosen != 0) chosen_[setting.name] = row.tried[row.chosen].value;
      if (run.is("interrupted")) return chosen_.clear(), false;
    }
    return true;
  }

  static ReportRow measure_one(const Run& run, const Trial& trial, const Setting& setting, const Situation& situation,
                               int64_t n, const std::function<bool()>& may_go_on) {
    const int64_t now = run.integer(setting.name);
    ReportRow row{&setting, {{now, {}, "", false}}, 0, ""};
    if (is_given(run, setting)) row.remark = "given by " + run.text((std::string("origin.") + setting.option).c_str());
    const std::vector<int64_t> others = setting.candidates(now, situation);
    if (row.remark.empty() && others.empty()) row.remark = setting.without;
    if (!row.remark.empty()) return row;
    for (const int64_t value : others) row.tried.push_back({value, {}, "", false});
    const auto block = [&](int64_t value) {
      run.set(setting.name, static_cast<double>(value));
      trial.steps(1 + n / 4);
      return trial.steps(n);
    };
    row.chosen = compare(row.tried, block, may_go_on);
    run.set(setting.name, static_cast<double>(row.tried[row.chosen].value));
    return row;
  }

  static void write_record(const Run& run, const json& choice) {
    const std::filesystem::path dir = run.run_dir();
    if (!dir.empty()) std::ofstream(dir / "autotune.json") << choice.dump(1) << "\n";
  }

  const bool tunes_;
  const double max_seconds_;
  bool known_ = false;                     // this run has chosen, or chooses nothing
  std::map<std::string, int64_t> chosen_;  // settings that differ from those at the start
};

}  // namespace
}  // namespace levin::autotune

LEVIN_PLUGIN("levin.autotune", "0.1.0", "Apache-2.0",
             levin::callback<levin::autotune::Autotune>("autotune",
                                                        "Measures settings of speed and chooses the fastest"))
