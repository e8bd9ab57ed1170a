// Schedule with a linear warm-up, followed by another schedule from its own step 0: warmup.
#include "core/base/error.hpp"
#include "core/optim/lr_schedulers/families.hpp"
#include "core/optim/lr_schedulers/nested.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

class Warmup final : public LrScheduler {
 public:
  explicit Warmup(const SchedulerArgs& args)
      : LrScheduler(args.target), steps_(args.options["warmup_steps"]), start_(args.options["start_factor"]) {
    if (args.options["after"].is_null()) return;
    SchedulerContext rest = args.context;  // the schedule after the warm-up gets the remaining steps
    rest.total_steps = std::max<int64_t>(0, rest.total_steps - steps_);
    after_ = make_nested(args.options["after"], {args.options, args.target, rest}, "schedule 'warmup', option 'after'");
  }

  bool needs_metric() const override { return after_ && after_->needs_metric(); }

  void start() override {
    if (after_) {
      reset_lr(target_);
      after_->undo();
    }
    LrScheduler::start();
  }
  void step() override {
    if (last_epoch_ + 1 <= steps_)
      LrScheduler::step();
    else
      ++last_epoch_;
    if (!after_ || last_epoch_ < steps_) return;
    if (last_epoch_ == steps_)
      after_->restart();
    else if (!after_->needs_metric())
      after_->step();
    remember_lr();
  }
  void step(double metric) override {
    step();
    if (needs_metric() && last_epoch_ > steps_) after_->step(metric);
    remember_lr();
  }
  bool has_own_rates() const override { return after_ && after_->has_own_rates(); }
  void scale_rates(double factor) override {
    LrScheduler::scale_rates(factor);
    if (after_) after_->scale_rates(factor);
  }
  json state_dict() const override {
    json state = LrScheduler::state_dict();
    state["after"] = after_ ? after_->state_dict() : json();
    return state;
  }

 private:
  bool needs_base_lr() const override { return true; }
  double next_lr(size_t i) override {
    const double share = static_cast<double>(last_epoch_) / static_cast<double>(steps_);
    return base_lr(i) * (start_ + (1 - start_) * share);
  }
  void load_more(const json& state) override {
    if (after_) after_->load_state_dict(state.at("after"));
  }

  int64_t steps_;
  double start_;
  std::unique_ptr<LrScheduler> after_;
};

}  // namespace

std::vector<SchedulerKind> warmup_schedulers() { return {{"warmup", make<Warmup>}}; }

}  // namespace levin::core
