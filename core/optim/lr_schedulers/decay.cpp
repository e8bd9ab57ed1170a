// Schedules that only lower the learning rate: step, multi_step, exponential, polynomial.
#include <algorithm>
#include <cmath>

#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

class StepLr final : public LrScheduler {
 public:
  explicit StepLr(const SchedulerArgs& args)
      : LrScheduler(args.target), size_(args.options["step_size"]), gamma_(args.options["gamma"]) {}

 private:
  double next_lr(size_t i) override { return last_epoch_ == 0 || last_epoch_ % size_ != 0 ? lr(i) : lr(i) * gamma_; }
  double closed_form_lr(size_t i) override {
    return base_lr(i) * std::pow(gamma_, static_cast<double>(last_epoch_ / size_));
  }

  int64_t size_;
  double gamma_;
};

class MultiStepLr final : public LrScheduler {
 public:
  explicit MultiStepLr(const SchedulerArgs& args)
      : LrScheduler(args.target),
        milestones_(args.options["milestones"].get<std::vector<int64_t>>()),
        gamma_(args.options["gamma"]) {
    std::sort(milestones_.begin(), milestones_.end());
  }

 private:
  double next_lr(size_t i) override {
    const auto [first, last] = std::equal_range(milestones_.begin(), milestones_.end(), last_epoch_);
    return first == last ? lr(i) : lr(i) * std::pow(gamma_, static_cast<double>(last - first));
  }
  double closed_form_lr(size_t i) override {
    const auto passed = std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch_) - milestones_.begin();
    return base_lr(i) * std::pow(gamma_, static_cast<double>(passed));
  }

  std::vector<int64_t> milestones_;
  double gamma_;
};

class ExponentialLr final : public LrScheduler {
 public:
  explicit ExponentialLr(const SchedulerArgs& args) : LrScheduler(args.target), gamma_(args.options["gamma"]) {}

 private:
  double next_lr(size_t i) override { return last_epoch_ == 0 ? lr(i) : lr(i) * gamma_; }
  double closed_form_lr(size_t i) override { return base_lr(i) * std::pow(gamma_, static_cast<double>(last_epoch_)); }

  double gamma_;
};

class PolynomialLr final : public LrScheduler {
 public:
  explicit PolynomialLr(const SchedulerArgs& args)
      : LrScheduler(args.target), total_(args.options["total_iters"]), power_(args.options["power"]) {}

 private:
  double next_lr(size_t i) override {
    if (last_epoch_ == 0 || static_cast<double>(last_epoch_) > total_) return lr(i);
    const double t = static_cast<double>(last_epoch_);
    return lr(i) * std::pow((1.0 - t / total_) / (1.0 - (t - 1) / total_), power_);
  }
  double closed_form_lr(size_t i) override {
    const double t = std::min(total_, static_cast<double>(last_epoch_));
    return base_lr(i) * std::pow(1.0 - t / total_, power_);
  }

  double total_, power_;
};

}  // namespace

std::vector<SchedulerKind> decay_schedulers() {
  return {{"step", make<StepLr>},
          {"multi_step", make<MultiStepLr>},
          {"exponential", make<ExponentialLr>},
          {"polynomial", make<PolynomialLr>}};
}

}  // namespace levin::core
