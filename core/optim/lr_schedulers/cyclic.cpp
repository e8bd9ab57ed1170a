// Schedule that cycles between two learning rates without end: cyclic.
#include <cmath>

#include "core/base/error.hpp"
#include "core/config/option_values.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
const char* const cyclic = "schedule 'cyclic'";  // for messages

class Cyclic final : public LrScheduler {
 public:
  explicit Cyclic(const SchedulerArgs& args)
      : LrScheduler(args.target),
        gamma_(args.options["gamma"]),
        mode_(args.options["mode"].get<std::string>()),
        cycle_momentum_(args.options["cycle_momentum"]) {
    const json& o = args.options;
    const double up = o["step_size_up"];
    const double down = o["step_size_down"].is_null() ? up : o["step_size_down"].get<double>();
    length_ = up + down;
    turn_ = up / length_;
    low_ = each(o, "base_lr");
    high_ = each(o, "max_lr");
    for (size_t i = 0; i < low_.size(); ++i) target_.set_lr(i, low_[i]);
    if (!cycle_momentum_) return;
    if (!target_.has_momentum()) {
      throw Error(ErrorKind::usage,
                  std::string(cyclic) + ": the optimizer has no momentum; set cycle_momentum to false");
    }
    low_momentum_ = each(o, "base_momentum");
    high_momentum_ = each(o, "max_momentum");
  }
  bool has_own_rates() const override { return true; }

 private:
  std::vector<double> each(const json& options, const char* name) const {
    return one_or_each(options[name], target_.group_count(), std::string(cyclic) + ", option '" + name + "'");
  }

  bool needs_base_lr() const override { return true; }

  double next_lr(size_t i) override {
    if (i >= low_.size()) return lr(i);
    const double t = static_cast<double>(last_epoch_);
    const double cycle = std::floor(1 + t / length_);
    const double x = 1. + t / length_ - cycle;
    const double height = x <= turn_ ? x / turn_ : (x - 1) / (turn_ - 1);
    const double scale = amplitude(cycle, t);
    if (cycle_momentum_) {
      target_.set_momentum(i, high_momentum_[i] - (high_momentum_[i] - low_momentum_[i]) * height * scale);
    }
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

std::vector<SchedulerKind> cyclic_schedulers() { return {{"cyclic", make<Cyclic>}}; }

}  // namespace levin::core
