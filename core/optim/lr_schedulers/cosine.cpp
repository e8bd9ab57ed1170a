// Schedules that follow half a cosine from the initial learning rate to eta_min: cosine_annealing, and
// cosine_annealing_warm_restarts, which starts again.
#include <cmath>

#include "core/base/error.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

int64_t steps_of(const SchedulerArgs& args) {
  const auto& given = args.options["T_max"];
  if (!given.is_null()) return given;
  if (args.context.total_steps > 0) return args.context.total_steps;
  throw Error(ErrorCode::scheduler_misconfigured,
              "schedule 'cosine_annealing' needs the option 'T_max': the number of steps is not known");
}

class CosineAnnealing final : public LrScheduler {
 public:
  explicit CosineAnnealing(const SchedulerArgs& args)
      : LrScheduler(args.target), steps_(steps_of(args)), min_(args.options["eta_min"]) {}

 private:
  double next_lr(size_t i) override {
    if (last_epoch_ == 0) return lr(i);
    const double t = static_cast<double>(last_epoch_), n = static_cast<double>(steps_);
    if ((last_epoch_ - 1 - steps_) % (2 * steps_) == 0) {  // the recursion below would stay at the minimum
      if (i >= base_lrs_.size()) return lr(i);
      return lr(i) + (base_lr(i) - min_) * (1 - std::cos(pi / n)) / 2;
    }
    return (1 + std::cos(pi * t / n)) / (1 + std::cos(pi * (t - 1) / n)) * (lr(i) - min_) + min_;
  }
  double closed_form_lr(size_t i) override {
    const double t = static_cast<double>(last_epoch_), n = static_cast<double>(steps_);
    return min_ + (base_lr(i) - min_) * (1 + std::cos(pi * t / n)) / 2;
  }

  int64_t steps_;
  double min_;
};

class WarmRestarts final : public LrScheduler {
 public:
  explicit WarmRestarts(const SchedulerArgs& args)
      : LrScheduler(args.target),
        first_(args.options["T_0"]),
        longer_(args.options["T_mult"]),
        min_(args.options["eta_min"]),
        length_(first_) {}

  void step() override {
    if (last_epoch_ < 0) return restart();
    if (++since_ >= length_) {
      since_ -= length_;
      length_ *= longer_;
    }
    LrScheduler::step();
  }
  void restart() override {
    since_ = 0;
    length_ = first_;
    LrScheduler::restart();
  }
  nlohmann::json state_dict() const override {
    nlohmann::json state = LrScheduler::state_dict();
    state["T_cur"] = since_;
    state["T_i"] = length_;
    return state;
  }

 private:
  bool needs_base_lr() const override { return true; }
  double next_lr(size_t i) override {
    return min_ +
           (base_lr(i) - min_) * (1 + std::cos(pi * static_cast<double>(since_) / static_cast<double>(length_))) / 2;
  }
  void load_more(const nlohmann::json& state) override {
    since_ = state.at("T_cur");
    length_ = state.at("T_i");
  }

  int64_t first_, longer_;
  double min_;
  int64_t since_ = 0, length_;  // the steps since the last restart, and between it and the next
};

}  // namespace

std::vector<SchedulerKind> cosine_schedulers() {
  return {{"cosine_annealing", make<CosineAnnealing>}, {"cosine_annealing_warm_restarts", make<WarmRestarts>}};
}

}  // namespace levin::core
