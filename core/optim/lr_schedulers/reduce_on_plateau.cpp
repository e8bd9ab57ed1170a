// Schedule that lowers learning rates when a metric stops improving: reduce_on_plateau.
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/config/option.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

class ReduceOnPlateau final : public LrScheduler {
 public:
  explicit ReduceOnPlateau(const SchedulerArgs& args)
      : LrScheduler(args.target),
        maximize_(args.options["mode"] == "max"),
        relative_(args.options["threshold_mode"] == "rel"),
        factor_(args.options["factor"]),
        threshold_(args.options["threshold"]),
        eps_(args.options["eps"]),
        patience_(args.options["patience"]),
        cooldown_(args.options["cooldown"]),
        best_(worst()) {
    if (factor_ >= 1)
      throw Error(ErrorCode::scheduler_misconfigured, "schedule 'reduce_on_plateau', option 'factor': must be below 1");
    min_lrs_ =
        one_or_each(args.options["min_lr"], target_.group_count(), "schedule 'reduce_on_plateau', option 'min_lr'");
    every_min_ = args.options["min_lr"].is_number() ? args.options["min_lr"].get<double>() : 0;
  }

  bool needs_metric() const override { return true; }
  void start() override {
    last_epoch_ = 0;
    remember_lr();
  }
  void restart() override { start(); }
  void undo() override {}
  void step() override {
    throw Error(ErrorCode::scheduler_misconfigured, "schedule 'reduce_on_plateau' needs a metric: set 'monitor'");
  }
  void step(double metric) override {
    ++last_epoch_;
    if (better(metric)) {
      best_ = metric;
      bad_ = 0;
    } else {
      ++bad_;
    }
    if (cooling_ > 0) {
      --cooling_;
      bad_ = 0;
    }
    if (bad_ > patience_) {
      reduce();
      cooling_ = cooldown_;
      bad_ = 0;
    }
    remember_lr();
  }
  json state_dict() const override {
    json state = LrScheduler::state_dict();
    state["best"] = std::isinf(best_) ? json() : json(best_);  // JSON has no infinity
    state["num_bad_epochs"] = bad_;
    state["cooldown_counter"] = cooling_;
    return state;
  }

 private:
  double next_lr(size_t i) override { return lr(i); }
  void load_more(const json& state) override {
    const json& best = state.at("best");
    best_ = best.is_null() ? worst() : best.get<double>();
    bad_ = state.at("num_bad_epochs");
    cooling_ = state.at("cooldown_counter");
  }

  double worst() const { return maximize_ ? -HUGE_VAL : HUGE_VAL; }

  bool better(double metric) const {
    if (relative_) return maximize_ ? metric > best_ * (threshold_ + 1.) : metric < best_ * (1. - threshold_);
    return maximize_ ? metric > best_ + threshold_ : metric < best_ - threshold_;
  }

  void reduce() {
    for (size_t i = 0; i < target_.group_count(); ++i) {
      const double now = lr(i), next = std::max(now * factor_, i < min_lrs_.size() ? min_lrs_[i] : every_min_);
      if (now - next > eps_) target_.set_lr(i, next);
    }
  }

  bool maximize_, relative_;
  double factor_, threshold_, eps_;
  int64_t patience_, cooldown_;
  std::vector<double> min_lrs_;
  double every_min_ = 0;  // the minimum learning rate of groups added later
  double best_;
  int64_t bad_ = 0, cooling_ = 0;
};

}  // namespace

std::vector<SchedulerKind> plateau_schedulers() { return {{"reduce_on_plateau", make<ReduceOnPlateau>}}; }

}  // namespace levin::core
