// Schedules whose factor is constant or changes linearly for a number of steps: constant, linear.
#include <algorithm>

#include "core/base/error.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

// Both schedules divide by this option later.
double positive(const nlohmann::json& options, const char* name, const char* schedule) {
  const double value = options[name];
  if (value > 0) return value;
  throw Error(ErrorKind::usage, std::string("schedule '") + schedule + "', option '" + name + "': must be above 0");
}

class ConstantLr final : public LrScheduler {
 public:
  explicit ConstantLr(const SchedulerArgs& args)
      : LrScheduler(args.target),
        factor_(positive(args.options, "factor", "constant")),
        total_(args.options["total_iters"]) {}

 private:
  double next_lr(size_t i) override {
    if (last_epoch_ == 0) return lr(i) * factor_;
    return last_epoch_ == total_ ? lr(i) * (1.0 / factor_) : lr(i);
  }
  double closed_form_lr(size_t i) override {
    return base_lr(i) * (factor_ + (last_epoch_ >= total_ ? 1 - factor_ : 0));
  }

  double factor_;
  int64_t total_;
};

class LinearLr final : public LrScheduler {
 public:
  explicit LinearLr(const SchedulerArgs& args)
      : LrScheduler(args.target),
        start_(positive(args.options, "start_factor", "linear")),
        end_(args.options["end_factor"]),
        total_(args.options["total_iters"]) {}

 private:
  double next_lr(size_t i) override {
    const double t = static_cast<double>(last_epoch_);
    if (last_epoch_ == 0) return lr(i) * start_;
    if (t > total_) return lr(i);
    return lr(i) * (1. + (end_ - start_) / (total_ * start_ + (t - 1) * (end_ - start_)));
  }
  double closed_form_lr(size_t i) override {
    const double t = std::min(total_, static_cast<double>(last_epoch_));
    return base_lr(i) * (start_ + (end_ - start_) * t / total_);
  }

  double start_, end_, total_;
};

}  // namespace

std::vector<SchedulerKind> ramp_schedulers() { return {{"constant", make<ConstantLr>}, {"linear", make<LinearLr>}}; }

}  // namespace levin::core
