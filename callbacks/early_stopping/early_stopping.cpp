// Stops training when a metric stops improving. The rule is in stopping_rule.hpp.
#include <utility>

#include "levin/callback.hpp"
#include "levin/monitor.hpp"
#include "levin/util/text.hpp"
#include "rank_message.hpp"
#include "stopping_rule.hpp"

namespace levin::early_stopping {
namespace {

constexpr const char* modes[] = {"min", "max", nullptr};

class EarlyStopping : public Callback {
 public:
  static constexpr levin_option options[] = {
      text("monitor", "\"val_loss\"", "metric to watch"),
      number("min_delta", "0.0", "minimum change that counts as an improvement"),
      integer("patience", "3", "number of checks without improvement before stopping", 0, 1e15),
      flag("verbose", "false", "print a line when the metric improves"),
      choice("mode", "\"min\"", "min = lower is better, max = higher is better", modes),
      with(flag("strict", "null", strict_help), LEVIN_OPT_NULLABLE),
      flag("check_finite", "true", "stop when the metric is NaN or infinite"),
      with(number("stopping_threshold", "null", "stop once the metric is better than this"), LEVIN_OPT_NULLABLE),
      with(number("divergence_threshold", "null", "stop once the metric is worse than this"), LEVIN_OPT_NULLABLE),
      with(flag("check_on_train_epoch_end", "null",
                "check at the end of the training epoch instead of after validation; null = if validation runs once an "
                "epoch"),
           LEVIN_OPT_NULLABLE),
      flag("log_rank_zero_only", "false", "print on rank 0 only"),
  };
  static constexpr uint64_t flags = LEVIN_F_MONITOR | LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit EarlyStopping(const Args& args)
      : rule_(rule_options(args)),
        monitor_(args, name()),
        wanted_(monitor_.name()),
        verbose_(args.flag("verbose")),
        rank_zero_only_(args.flag("log_rank_zero_only")) {
    if (!args.is_null("check_on_train_epoch_end")) on_train_epoch_end_ = args.flag("check_on_train_epoch_end");
  }

  void setup(Stage stage) { fitting_ = stage == Stage::fit; }
  // A stop request is not part of a checkpoint. A resumed run with the same options repeats it.
  void on_fit_start(const Event& event) {
    if (asked_) event.run().stop(message_);
  }
  void on_train_epoch_end(const Event& event) {
    epoch_ended_ = true;
    if (checks_on_train_epoch_end(event.run())) return check(event);
    if (missed_ && !value_of(event.run())) missing(event.run());
  }
  void on_validation_end(const Event& event) {
    if (fitting_ && event.stage() != Stage::sanity && !checks_on_train_epoch_end(event.run())) check(event);
  }

  // If no validation ran, there may have been no check.
  void on_train_end(const Event& event) {
    if (epoch_ended_ && checks_ == 0 && monitor_.fails_at_end(event.run()) && !value_of(event.run()))
      missing(event.run());
  }

  void save(Writer writer) const {
    writer.put("patience", rule_.options().patience);  // for information: a resumed run uses its own option
    writer.put("wait_count", rule_.state().wait_count);
    writer.put("best_score", rule_.state().best_score);
    writer.put("stopping_reason", static_cast<int32_t>(rule_.state().reason));
    writer.put("stopped_epoch", stopped_epoch_);
    writer.put("message", message_);
    writer.put("checks", checks_);
    writer.put("asked", static_cast<uint8_t>(asked_));
    writer.put("options", options_as_text());
  }
  void load(Reader reader) {
    StoppingState state = rule_.state();
    int32_t reason = 0;
    reader.get("wait_count", state.wait_count);
    reader.get("best_score", state.best_score);
    if (reader.get("stopping_reason", reason)) state.reason = static_cast<StoppingReason>(reason);
    reader.get("stopped_epoch", stopped_epoch_);
    reader.get("message", message_);
    reader.get("checks", checks_);
    rule_.restore(state);
    uint8_t asked = 0;
    std::string asked_with;
    asked_ =
        reader.get("asked", asked) && reader.get("options", asked_with) && asked && asked_with == options_as_text();
  }

 private:
  static StoppingOptions rule_options(const Args& args) {
    StoppingOptions o;
    o.min_delta = args.number("min_delta");
    o.patience = args.integer("patience");
    o.maximize = args.text("mode") == "max";
    o.check_finite = args.flag("check_finite");
    if (!args.is_null("stopping_threshold")) o.stopping_threshold = args.number("stopping_threshold");
    if (!args.is_null("divergence_threshold")) o.divergence_threshold = args.number("divergence_threshold");
    return o;
  }

  std::string options_as_text() const {
    const StoppingOptions& o = rule_.options();
    const auto text = [](const std::optional<double>& value) { return value ? shortest(*value) : "null"; };
    return wanted_ + (o.maximize ? " max " : " min ") + shortest(o.min_delta) + " " + std::to_string(o.patience) +
           (o.check_finite ? " finite " : " any ") + text(o.stopping_threshold) + " " + text(o.divergence_threshold);
  }

  bool checks_on_train_epoch_end(const Run& run) const {
    if (on_train_epoch_end_) return *on_train_epoch_end_;
    return run.val_check_interval() == 1.0 && run.check_val_every_n_epoch() == 1.0;
  }

  void check(const Event& event) {
    const Run run = event.run();
    if (run.fast_dev_run()) return;
    const std::optional<double> value = value_of(run);
    missed_ = !value;
    if (!value) return missing(run);
    const bool stop = asked_ = rule_.check(*value);
    ++checks_;
    message_ = rule_.message(monitor_.name());
    if (stop) {
      stopped_epoch_ = event.epoch();
      run.stop(message_);
    }
    if (!message_.empty() && !stop && verbose_) say(run, message_);  // the trainer prints the reason for a stop
  }

  std::optional<double> value_of(const Run& run) {
    const std::optional<double> value = run.metric(monitor_.name());
    if (value || !monitor_.follow_first_loader(run, run.metrics())) return value;
    say(run, monitor_.followed_text());
    return run.metric(monitor_.name());
  }

  // A metric that is logged once per epoch may be missing in a validation before the end of the epoch.
  void missing(const Run& run) {
    const std::string message = monitor_.missing_text(run.metrics());
    if (monitor_.is_strict(run) && (monitor_.waits() || epoch_ended_))
      throw Error(LEVIN_E_NOT_FOUND, message + monitor_.advice());
    if (monitor_.is_expected(run) && !std::exchange(warned_, true)) warn(message + "; training is not stopped early");
  }

  void say(const Run& run, const std::string& message) const {
    const levin_dist* dist = services().dist;
    const auto line = rank_message(message, dist ? dist->rank(run.raw()) : 0, dist ? dist->world_size(run.raw()) : 1,
                                   rank_zero_only_);
    if (line) info(*line);
  }

  StoppingRule rule_;
  Monitor monitor_;
  std::string wanted_;  // the option monitor
  bool verbose_, rank_zero_only_;
  std::optional<bool> on_train_epoch_end_;
  bool fitting_ = false, warned_ = false, epoch_ended_ = false;
  bool missed_ = false;         // the last check found no value
  bool asked_ = false;          // the last check requested a stop
  int64_t stopped_epoch_ = -1;  // -1 = not stopped
  int64_t checks_ = 0;
  std::string message_;
};

}  // namespace
}  // namespace levin::early_stopping

LEVIN_PLUGIN("levin.early_stopping", "0.1.0", "Apache-2.0",
             levin::callback<levin::early_stopping::EarlyStopping>("early_stopping",
                                                                   "Stops training when a metric no longer improves"));
