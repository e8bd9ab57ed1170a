// Logs the learning rates of all optimizers, each at the interval of its schedule (step or epoch).
#include "levin/callback.hpp"
#include "names.hpp"

namespace levin::learning_rate_monitor {
namespace {

constexpr const char* intervals[] = {"step", "epoch", nullptr};

class LearningRateMonitor : public Callback {
 public:
  static constexpr levin_option options[] = {
      with(choice("logging_interval", "null", "when to log; null = at each schedule's own interval", intervals),
           LEVIN_OPT_NULLABLE),
      flag("log_momentum", "false", "also log momentum (beta1 for Adam)"),
      flag("log_weight_decay", "false", "also log weight decay"),
      with(text("log_key_prefix", "null", "prefix of the logged names"), LEVIN_OPT_NULLABLE),
  };

  explicit LearningRateMonitor(const Args& args)
      : interval_(args.text("logging_interval")),
        prefix_(args.text("log_key_prefix")),
        momentum_(args.flag("log_momentum")),
        weight_decay_(args.flag("log_weight_decay")) {}

  void on_train_start(const Event& event) {
    const Run run = event.run();
    double loggers = 1;
    if (run.trainer().number(run.raw(), "num_loggers", &loggers) == LEVIN_OK && loggers == 0)
      throw Error(LEVIN_E_STATE, "LearningRateMonitor needs a logger: add one with --logger csv");
    track(run);
    names_of_groups(run);  // throws for two groups of the same name before training starts
  }
  void on_train_epoch_start(const Event& event) { log(event.run(), "epoch"); }
  void on_train_batch_start(const Event& event) {
    if (any_at("step") && event.run().should_update_logs()) log(event.run(), "step");
  }

 private:
  using Values = std::vector<std::pair<std::string, double>>;

  struct Tracked {
    uint32_t optimizer;
    std::string interval, label;  // of its schedule; "" = none
  };

  // Lists the optimizers with a schedule first, then the others.
  void track(const Run& run) {
    tracked_.clear();
    const uint32_t optimizers = run.n_optimizers(), schedulers = run.n_schedulers();
    std::vector<bool> scheduled(optimizers, false);
    for (uint32_t i = 0; i < schedulers; ++i) {
      uint32_t optimizer = 0;
      const char *label = nullptr, *interval = nullptr;
      detail::check(run.optim().scheduler(run.raw(), i, &optimizer, &label, &interval),
                    "a schedule has no description");
      if (scheduled.at(optimizer)) continue;
      scheduled[optimizer] = true;
      tracked_.push_back({optimizer, interval && *interval ? interval : "epoch", label ? label : ""});
    }
    for (uint32_t i = 0; i < optimizers; ++i)
      if (!scheduled[i]) tracked_.push_back({i, "", ""});
  }

  // Returns the names for tracked_. They are computed each time because groups may have been added.
  std::vector<std::vector<std::string>> names_of_groups(const Run& run) const {
    std::vector<Optimizer> all;
    for (const Tracked& t : tracked_) all.push_back(describe(run, t));
    return names(all, prefix_);
  }

  static Optimizer describe(const Run& run, const Tracked& tracked) {
    const char* name = "";
    uint32_t groups = 0;
    detail::check(run.optim().describe(run.raw(), tracked.optimizer, &name, &groups),
                  "an optimizer has no description");
    Optimizer out{name, {}, tracked.label};
    for (uint32_t g = 0; g < groups; ++g) {
      const char* group = nullptr;
      detail::check(run.optim().group_name(run.raw(), tracked.optimizer, g, &group), "a group has no description");
      out.groups.push_back(group ? group : "");
    }
    return out;
  }

  bool any_at(const char* moment) const {
    for (const Tracked& t : tracked_)
      if (logs_at(moment, t.interval, interval_)) return true;
    return false;
  }

  void log(const Run& run, const char* moment) const {
    if (!any_at(moment)) return;
    const auto names = names_of_groups(run);
    Values values;
    for (size_t i = 0; i < names.size(); ++i) {
      if (!logs_at(moment, tracked_[i].interval, interval_)) continue;
      for (uint32_t g = 0; g < names[i].size(); ++g) add(run, tracked_[i].optimizer, g, names[i][g], values);
    }
    if (!values.empty()) run.log_now(run.batches_that_stepped(), values);
  }

  void add(const Run& run, uint32_t optimizer, uint32_t group, const std::string& name, Values& values) const {
    const auto get = [&](const char* option) -> std::optional<double> {
      double value;
      if (run.optim().get(run.raw(), optimizer, group, option, &value) != LEVIN_OK) return std::nullopt;
      return value;
    };
    const auto put = [&](const std::string& key, double value) {  // of two with the same label, the last one is logged
      for (auto& [taken, old] : values)
        if (taken == key) return void(old = value);
      values.emplace_back(key, value);
    };
    if (const auto lr = get("lr")) put(name, *lr);
    if (momentum_) {
      const auto beta = get("beta1");
      put(name + "-momentum", beta ? *beta : get("momentum").value_or(0));
    }
    if (weight_decay_) put(name + "-weight_decay", get("weight_decay").value_or(0));
  }

  std::string interval_, prefix_;
  bool momentum_, weight_decay_;
  std::vector<Tracked> tracked_;
};

}  // namespace
}  // namespace levin::learning_rate_monitor

LEVIN_PLUGIN("levin.learning_rate_monitor", "0.1.0", "Apache-2.0",
             levin::callback<levin::learning_rate_monitor::LearningRateMonitor>("learning_rate_monitor",
                                                                                "Logs the learning rates"));
