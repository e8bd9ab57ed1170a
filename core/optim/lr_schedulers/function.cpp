// Schedules whose factors the model computes: lambda, multiplicative.
#include "core/base/error.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

// The factor functions of the groups. A single function serves all groups, including groups added later.
class Factors {
 public:
  Factors(const SchedulerArgs& args, const char* name) : functions_(args.context.factors) {
    const size_t n = functions_.size();
    if (n == 1 || (n > 0 && n == args.target.group_count())) return;
    throw Error(ErrorCode::scheduler_misconfigured,
                std::string("schedule '") + name + "' needs one factor function, or one for each of the " +
                    std::to_string(args.target.group_count()) + " parameter groups, not " + std::to_string(n) +
                    "; the model passes them");
  }

  bool covers(size_t group) const { return functions_.size() == 1 || group < functions_.size(); }
  double operator()(size_t group, int64_t step) const {
    return functions_.size() == 1 ? functions_[0](step) : functions_[group](step);
  }

 private:
  std::vector<std::function<double(int64_t)>> functions_;
};

class LambdaLr final : public LrScheduler {
 public:
  explicit LambdaLr(const SchedulerArgs& args) : LrScheduler(args.target), factors_(args, "lambda") {}

 private:
  bool needs_base_lr() const override { return true; }
  double next_lr(size_t i) override { return base_lr(i) * factors_(i, last_epoch_); }

  Factors factors_;
};

class MultiplicativeLr final : public LrScheduler {
 public:
  explicit MultiplicativeLr(const SchedulerArgs& args) : LrScheduler(args.target), factors_(args, "multiplicative") {}

 private:
  double next_lr(size_t i) override {
    return last_epoch_ > 0 && factors_.covers(i) ? lr(i) * factors_(i, last_epoch_) : lr(i);
  }

  Factors factors_;
};

}  // namespace

std::vector<SchedulerKind> function_schedulers() {
  return {{"lambda", make<LambdaLr>}, {"multiplicative", make<MultiplicativeLr>}};
}

}  // namespace levin::core
