// Schedules of cycles between two learning rates, which move the momentum the other way: one_cycle, a single cycle, and
// cyclic, without end.
#include <cmath>

#include "core/base/error.hpp"
#include "core/config/option.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Returns the option as one number for each group.
std::vector<double> each_group(const SchedulerArgs& args, const char* schedule, const char* option) {
  return one_or_each(args.options[option], args.target.group_count(),
                     std::string("schedule '") + schedule + "', option '" + option + "'");
}

// Returns the option cycle_momentum. Throws Error{usage} if it is true and the optimizer has no momentum.
bool cycles_momentum(const SchedulerArgs& args, const char* schedule) {
  const bool cycles = args.options["cycle_momentum"];
  if (!cycles || args.target.has_momentum()) return cycles;
  throw Error(ErrorCode::scheduler_misconfigured,
              std::string("schedule '") + schedule + "': the optimizer has no momentum; set cycle_momentum to false");
}

int64_t total_steps(const SchedulerArgs& args) {
  const json& o = args.options;
  if (!o["total_steps"].is_null()) return o["total_steps"];
  const bool epochs = !o["epochs"].is_null(), steps = !o["steps_per_epoch"].is_null();
  if (epochs && steps) return o["epochs"].get<int64_t>() * o["steps_per_epoch"].get<int64_t>();
  if (!epochs && !steps && args.context.total_steps > 0) return args.context.total_steps;
  throw Error(ErrorCode::scheduler_misconfigured,
              "schedule 'one_cycle' needs total_steps, or both epochs and steps_per_epoch");
}

class OneCycle final : public LrScheduler {
 public:
  explicit OneCycle(const SchedulerArgs& args)
      : LrScheduler(args.target),
        steps_(total_steps(args)),
        linear_(args.options["anneal_strategy"] == "linear"),
        cycle_momentum_(cycles_momentum(args, "one_cycle")),
        has_own_rates_(!args.options["max_lr"].is_null()) {
    set_phases(args.options["pct_start"], args.options["three_phase"]);
    set_lrs(args);
    if (cycle_momentum_) set_momenta(args);
  }
  bool has_own_rates() const override { return has_own_rates_; }

 private:
  enum Level { at_start, at_max, at_min };  // of the learning rate
  struct Phase {
    double end;
    Level from, to;
    bool high_from, high_to;  // true = the momentum is at its maximum
  };
  struct Group {
    double lr[3];
    double momentum[2];  // minimum and maximum
  };

  void set_phases(double share, bool three) {
    const double total = static_cast<double>(steps_), rise = share * total;
    if (three) {
      phases_ = {{rise - 1, at_start, at_max, true, false},
                 {2 * share * total - 2, at_max, at_start, false, true},
                 {total - 1, at_start, at_min, true, true}};
      return;
    }
    phases_ = {{rise - 1, at_start, at_max, true, false}, {total - 1, at_max, at_min, false, true}};
  }

  void set_lrs(const SchedulerArgs& args) {
    std::vector<double> max;
    if (has_own_rates_)
      max = each_group(args, "one_cycle", "max_lr");
    else
      for (size_t i = 0; i < target_.group_count(); ++i) max.push_back(target_.lr(i));
    const double div = args.options["div_factor"], final_div = args.options["final_div_factor"];
    if (div <= 0 || final_div <= 0)
      throw Error(ErrorCode::scheduler_misconfigured,
                  "schedule 'one_cycle': div_factor and final_div_factor must be above 0");
    for (size_t i = 0; i < max.size(); ++i) {
      const double initial = max[i] / div;
      groups_.push_back({{initial, max[i], initial / final_div}, {}});
      target_.set_initial_lr(i, initial);
    }
  }

  void set_momenta(const SchedulerArgs& args) {
    const auto low = each_group(args, "one_cycle", "base_momentum"),
               high = each_group(args, "one_cycle", "max_momentum");
    for (size_t i = 0; i < groups_.size(); ++i) {
      groups_[i].momentum[0] = low[i];
      groups_[i].momentum[1] = high[i];
    }
  }

  bool needs_base_lr() const override { return true; }

  double next_lr(size_t i) override {
    if (last_epoch_ > steps_)
      throw Error(ErrorCode::scheduler_misconfigured, "schedule 'one_cycle' ends after " + std::to_string(steps_) +
                                                          " steps, and the run takes more; raise total_steps");
    const double t = static_cast<double>(last_epoch_);
    double start = 0;
    size_t k = 0;
    for (; k + 1 < phases_.size() && t > phases_[k].end; ++k) start = phases_[k].end;
    const Phase& phase = phases_[k];
    const double share =
        phase.end > start ? (t - start) / (phase.end - start) : 1;  // pct_start may leave no step for a phase
    const Group& group = groups_[i];
    if (cycle_momentum_)
      target_.set_momentum(i, between(group.momentum[phase.high_from], group.momentum[phase.high_to], share));
    return between(group.lr[phase.from], group.lr[phase.to], share);
  }

  double between(double start, double end, double share) const {
    if (linear_) return (end - start) * share + start;
    return end + (start - end) / 2.0 * (std::cos(pi * share) + 1);
  }

  int64_t steps_;
  bool linear_, cycle_momentum_, has_own_rates_;
  std::vector<Phase> phases_;
  std::vector<Group> groups_;
};

class Cyclic final : public LrScheduler {
 public:
  explicit Cyclic(const SchedulerArgs& args)
      : LrScheduler(args.target),
        gamma_(args.options["gamma"]),
        mode_(args.options["mode"].get<std::string>()),
        cycle_momentum_(cycles_momentum(args, "cyclic")),
        low_(each_group(args, "cyclic", "base_lr")),
        high_(each_group(args, "cyclic", "max_lr")) {
    const json& o = args.options;
    const double up = o["step_size_up"];
    const double down = o["step_size_down"].is_null() ? up : o["step_size_down"].get<double>();
    length_ = up + down;
    turn_ = up / length_;
    for (size_t i = 0; i < low_.size(); ++i) target_.set_lr(i, low_[i]);
    if (!cycle_momentum_) return;
    low_momentum_ = each_group(args, "cyclic", "base_momentum");
    high_momentum_ = each_group(args, "cyclic", "max_momentum");
  }
  bool has_own_rates() const override { return true; }

 private:
  bool needs_base_lr() const override { return true; }

  double next_lr(size_t i) override {
    if (i >= low_.size()) return lr(i);
    const double t = static_cast<double>(last_epoch_);
    const double cycle = std::floor(1 + t / length_);
    const double x = 1. + t / length_ - cycle;
    const double height = x <= turn_ ? x / turn_ : (x - 1) / (turn_ - 1);
    const double scale = amplitude(cycle, t);
    if (cycle_momentum_)
      target_.set_momentum(i, high_momentum_[i] - (high_momentum_[i] - low_momentum_[i]) * height * scale);
    return low_[i] + (high_[i] - low_[i]) * height * scale;
  }

  double amplitude(double cycle, double t) const {
    if (mode_ == "triangular2") return 1 / std::pow(2., cycle - 1);
    return mode_ == "exp_range" ? std::pow(gamma_, t) : 1;
  }

  double gamma_;
  std::string mode_;
  bool cycle_momentum_;
  double length_ = 0, turn_ = 0;  // the steps of a cycle, and the fraction of them in which the rate rises
  std::vector<double> low_, high_, low_momentum_, high_momentum_;
};

}  // namespace

std::vector<SchedulerKind> cycle_schedulers() { return {{"one_cycle", make<OneCycle>}, {"cyclic", make<Cyclic>}}; }

}  // namespace levin::core
