// Tries learning rates from small to large before a fit with steps that are undone, and suggests one.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "levin/callback.hpp"
#include "levin/processes.hpp"
#include "levin/util/figure.hpp"
#include "levin/util/text.hpp"
#include "range_test.hpp"

namespace fs = std::filesystem;

namespace levin::learning_rate_finder {
namespace {

constexpr const char* modes[] = {"exponential", "linear", nullptr};

std::string list(const std::vector<double>& values) {
  std::string out;
  for (const double v : values)
    out += (out.empty() ? "" : ", ") + (std::isfinite(v) ? shortest(v) : "\"" + shortest(v) + "\"");
  return "[" + out + "]";
}

class LearningRateFinder : public Callback {
 public:
  static constexpr levin_option options[] = {
      number("min_lr", "1e-8", "smallest learning rate to try", 1e-300, 1e9),
      number("max_lr", "1.0", "largest learning rate to try", 1e-300, 1e9),
      integer("num_training_steps", "100", "number of learning rates to try, one optimizer step each", 2, 1e6),
      choice("mode", "\"exponential\"", "growth of the learning rate", modes),
      with(number("early_stop_threshold", "4.0", "stop when the loss exceeds N times the best loss; null = never", 0,
                  1e300),
           LEVIN_OPT_NULLABLE),
      flag("update_attr", "true", "train with the suggested learning rate and save it in the run's options"),
      text("attr_name", "\"\"", "model option that holds the learning rate; empty = lr or learning_rate"),
      json("find", "true", "search for a learning rate; false = off, a name = attr_name"),
  };
  static constexpr levin_flag claims[] = {
      {"auto_lr_find", "find", "search for a learning rate before the fit; a name = the model option to set"}};
  static constexpr uint64_t flags = LEVIN_F_FIRST | LEVIN_F_OFF_IN_FAST_DEV_RUN | LEVIN_F_ONE_ONLY;

  explicit LearningRateFinder(const Args& args)
      : update_(args.flag("update_attr")), attr_name_(args.text("attr_name")) {
    test_.min_lr = args.number("min_lr");
    test_.max_lr = args.number("max_lr");
    test_.steps = args.integer("num_training_steps");
    test_.exponential = args.text("mode") == "exponential";
    test_.early_stop_threshold.reset();
    if (!args.is_null("early_stop_threshold")) test_.early_stop_threshold = args.number("early_stop_threshold");
    read_find(args.text("find"));
    if (test_.max_lr <= test_.min_lr) throw Error(LEVIN_E_INVALID, "max_lr has to be above min_lr");
  }

  void on_fit_start(const Event& event) {
    if (off_ || found_) return;
    found_ = true;
    const Run run = event.run();
    check_attr_name(run);
    const uint32_t optimizers = run.n_optimizers();
    if (optimizers != 1)
      throw Error(LEVIN_E_UNSUPPORTED, "works with one optimizer, and the model has " + std::to_string(optimizers));
    const Curve curve = try_rates(run, event.global_step());
    const auto best = steepest(curve.lrs(), curve.losses());
    report(run, curve, best);
    if (best && update_) apply(run, curve.lrs()[*best]);
  }

  void save(Writer writer) const { writer.put("found", static_cast<int32_t>(found_)); }
  void load(Reader reader) {
    int32_t found = 0;
    if (reader.get("found", found)) found_ = found != 0;
  }

 private:
  void read_find(const std::string& text) {
    const auto find = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    off_ = find == false;
    if (find.is_boolean()) return;
    const std::string name = find.is_string() ? find.get<std::string>() : "";
    if (name.empty() || (!attr_name_.empty() && attr_name_ != name))
      throw Error(LEVIN_E_INVALID, "find is " + text + "; valid: true, false, the name of " +
                                       (attr_name_.empty() ? "an option of the model" : "attr_name: " + attr_name_));
    attr_name_ = name;
  }

  // Throws Error for a wrong name before the first step.
  void check_attr_name(const Run& run) const {
    if (attr_name_.empty() || !update_) return;
    const auto config = nlohmann::json::parse(run.config(), nullptr, /*allow_exceptions=*/false);
    const nlohmann::json::json_pointer of_model("/model/options");
    if (!config.is_object() || !config.contains(of_model) || config.at(of_model).contains(attr_name_)) return;
    std::string known;
    for (const auto& [name, value] : config.at(of_model).items())
      if (value.is_number()) known += (known.empty() ? "" : ", ") + name;
    throw Error(LEVIN_E_INVALID,
                "--callback." + name() + ".attr_name " + attr_name_ +
                    ": the model has no such option; its numbers are: " + (known.empty() ? "none" : known));
  }

  Curve try_rates(const Run& run, int64_t steps_before) const {
    Curve curve(test_);
    const levin_trial& trial = run.trial();
    const auto accumulated = static_cast<double>(run.accumulate_grad_batches());
    detail::check(trial.begin(run.raw()), "begin");
    try {
      for (int64_t i = 0; i < test_.steps; ++i) {
        const double lr = lr_of(test_, i);
        set_lr(run, lr);
        double loss = 0;
        detail::check(trial.step(run.raw(), 1, &loss), "a step of the range test");
        loss = of_first(run, loss);  // so that all processes stop after the same step
        // As in Lightning, the loss is divided by the number of batches in an optimizer step.
        if (curve.add(lr, loss / accumulated, steps_before + i + 1)) {
          info("stopped after " + std::to_string(i + 1) + " steps: the loss diverges");
          break;
        }
      }
    } catch (...) {
      trial.end(run.raw());
      throw;
    }
    detail::check(trial.end(run.raw()), "end");
    return curve;
  }

  static void set_lr(const Run& run, double lr) {
    for (uint32_t g = 0, n = run.n_groups(0); g < n; ++g) run.set_lr(0, g, lr);
  }

  Figure picture(const Curve& curve, std::optional<size_t> best) const {
    Figure out("");
    out.x_label("learning rate").y_label("loss").log_x(test_.exponential).line("", curve.lrs(), curve.losses());
    if (best) out.mark(curve.lrs()[*best], curve.losses()[*best], metric_text(curve.lrs()[*best]));
    return out;
  }

  void report(const Run& run, const Curve& curve, std::optional<size_t> best) const {
    if (!is_first_process(run)) return;
    const std::string suggestion = best ? shortest(curve.lrs()[*best]) : "null";
    const fs::path dir = run.run_dir();
    if (dir.empty()) return;
    std::ofstream(dir / "lr_find.json") << "{\"suggestion\": " << suggestion << ",\n \"lr\": " << list(curve.lrs())
                                        << ",\n \"loss\": " << list(curve.losses()) << "}\n";
    const Figure plot = picture(curve, best);
    std::ofstream(dir / "lr_find.svg") << plot.svg();
    run.media(Media::figure("lr_find", plot));
    if (best)
      run.print("suggested learning rate: " + suggestion + " (" + (dir / "lr_find.svg").string() + ")");
    else
      warn("no learning rate can be suggested: too few points; raise num_training_steps or use more data");
  }

  // Sets the rate in the optimizer and in the run's options. With a learning-rate schedule only the options change: the
  // schedule was made from the old learning rate and would overwrite the new one at its next step.
  void apply(const Run& run, double lr) const {
    const bool scheduled = run.n_schedulers() > 0;
    if (!scheduled) set_lr(run, lr);
    const std::string name = write_option(run, shortest(lr));
    if (scheduled)
      warn(
          "a schedule moves the learning rate from where the model's options put it, so the suggestion is not used in "
          "this run: start again with --" +
          (name.empty() ? "model.OPTION" : name) + " " + shortest(lr));
  }

  // Returns the name of the option; "" = the model has none.
  std::string write_option(const Run& run, const std::string& json) const {
    if (!attr_name_.empty()) {
      run.set_option("model." + attr_name_, json);
      return "model." + attr_name_;
    }
    for (const char* name : {"model.lr", "model.learning_rate"})
      if (run.trainer().set_option(run.raw(), name, json.c_str()) == LEVIN_OK) return name;
    warn("the model has neither an option lr nor learning_rate; name it with attr_name, or set update_attr to false");
    return "";
  }

  RangeTest test_;
  bool update_;
  std::string attr_name_;
  bool found_ = false, off_ = false;
};

}  // namespace
}  // namespace levin::learning_rate_finder

LEVIN_PLUGIN("levin.learning_rate_finder", "0.1.0", "Apache-2.0",
             levin::callback<levin::learning_rate_finder::LearningRateFinder>(
                 "learning_rate_finder", "Suggests a learning rate by a range test"))
