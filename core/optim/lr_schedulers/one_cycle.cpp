// Schedule of one cycle, which rises to max_lr, then falls to almost nothing, and moves the momentum the other way:
// one_cycle.
#include <cmath>

#include "core/base/error.hpp"
#include "core/config/option_values.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
const char* const one_cycle = "schedule 'one_cycle'";  // for messages

int64_t total_steps(const SchedulerArgs& args) {
  const json& o = args.options;
  if (!o["total_steps"].is_null()) return o["total_steps"];
  if (!o["epochs"].is_null() && !o["steps_per_epoch"].is_null()) {
    return o["epochs"].get<int64_t>() * o["steps_per_epoch"].get<int64_t>();
  }
  if (o["epochs"].is_null() && o["steps_per_epoch"].is_null() && args.context.total_steps > 0) {
    return args.context.total_steps;
  }
  throw Error(ErrorKind::usage, std::string(one_cycle) + " needs total_steps, or both epochs and steps_per_epoch");
}

class OneCycle final : public LrScheduler {
 public:
  explicit OneCycle(const SchedulerArgs& args)
      : LrScheduler(args.target),
        steps_(total_steps(args)),
        linear_(args.options["anneal_strategy"] == "linear"),
        cycle_momentum_(args.options["cycle_momentum"]),
        has_own_rates_(!args.options["max_lr"].is_null()) {
    set_phases(args.options["pct_start"], args.options["three_phase"]);
    set_lrs(args.options);
    if (cycle_momentum_) set_momenta(args.options);
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

  void set_lrs(const json& o) {
    const size_t n = target_.group_count();
    std::vector<double> max;
    if (o["max_lr"].is_null()) {
      for (size_t i = 0; i < n; ++i) max.push_back(target_.lr(i));
    } else {
      max = one_or_each(o["max_lr"], n, std::string(one_cycle) + ", option 'max_lr'");
    }
    const double div = o["div_factor"], final_div = o["final_div_factor"];
    if (div <= 0 || final_div <= 0) {
      throw Error(ErrorKind::usage, std::string(one_cycle) + ": div_factor and final_div_factor must be above 0");
    }
    for (size_t i = 0; i < n; ++i) {
      const double initial = max[i] / div;
      groups_.push_back({{initial, max[i], initial / final_div}, {}});
      target_.set_initial_lr(i, initial);
    }
  }

  void set_momenta(const json& o) {
    if (!target_.has_momentum()) {
      throw Error(ErrorKind::usage,
                  std::string(one_cycle) + ": the optimizer has no momentum; set cycle_momentum to false");
    }
    const auto low =
        one_or_each(o["base_momentum"], groups_.size(), std::string(one_cycle) + ", option 'base_momentum'");
    const auto high =
        one_or_each(o["max_momentum"], groups_.size(), std::string(one_cycle) + ", option 'max_momentum'");
    for (size_t i = 0; i < groups_.size(); ++i) {
      groups_[i].momentum[0] = low[i];
      groups_[i].momentum[1] = high[i];
    }
  }

  bool needs_base_lr() const override { return true; }

  double next_lr(size_t i) override {
    if (last_epoch_ > steps_) {
      throw Error(ErrorKind::usage, std::string(one_cycle) + " was made for " + std::to_string(steps_) +
                                        " steps and is asked for more: raise total_steps");
    }
    const double t = static_cast<double>(last_epoch_);
    double start = 0;
    size_t k = 0;
    for (; k + 1 < phases_.size() && t > phases_[k].end; ++k) start = phases_[k].end;
    const Phase& phase = phases_[k];
    const double share =
        phase.end > start ? (t - start) / (phase.end - start) : 1;  // pct_start may leave no step for a phase
    const Group& group = groups_[i];
    if (cycle_momentum_) {
      target_.set_momentum(i, between(group.momentum[phase.high_from], group.momentum[phase.high_to], share));
    }
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

}  // namespace

std::vector<SchedulerKind> one_cycle_schedulers() { return {{"one_cycle", make<OneCycle>}}; }

}  // namespace levin::core
