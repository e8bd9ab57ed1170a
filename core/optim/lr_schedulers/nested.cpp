// Schedules that contain other schedules: sequential, chained, warmup.
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Makes and starts the schedule described by an object such as {"name": "linear", "total_iters": 5}.
std::unique_ptr<LrScheduler> make_nested(const json& item, const SchedulerArgs& args, const std::string& owner) {
  if (!item.is_object() || !item.contains("name") || !item["name"].is_string())
    throw Error(ErrorCode::scheduler_misconfigured,
                owner + R"(: expected a schedule as {"name": "linear", "total_iters": 5}, not )" + item.dump());
  json options = item;
  options.erase("name");
  return make_scheduler(item["name"], options, args.target, args.context);
}

// Resets every group to its initial learning rate.
void reset_lr(LrTarget& target) {
  for (size_t i = 0; i < target.group_count(); ++i)
    if (!std::isnan(target.initial_lr(i))) target.set_lr(i, target.initial_lr(i));
}

class Composed : public LrScheduler {
 public:
  Composed(const SchedulerArgs& args, const char* owner) : LrScheduler(args.target) {
    for (const json& item : args.options["schedulers"]) {
      parts_.push_back(make_nested(item, args, owner));
      if (!parts_.back()->needs_metric()) continue;
      throw Error(ErrorCode::scheduler_misconfigured,
                  std::string(owner) + " cannot contain a schedule that needs a metric");
    }
    if (parts_.empty()) throw Error(ErrorCode::scheduler_misconfigured, std::string(owner) + ": 'schedulers' is empty");
  }

  json state_dict() const override {
    json state = LrScheduler::state_dict();
    for (const auto& part : parts_) state["schedulers"].push_back(part->state_dict());
    return state;
  }
  bool has_own_rates() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->has_own_rates(); });
  }
  void scale_rates(double factor) override {
    LrScheduler::scale_rates(factor);
    for (auto& part : parts_) part->scale_rates(factor);
  }

 protected:
  double next_lr(size_t i) override { return lr(i); }
  void load_more(const json& state) override {
    for (size_t i = 0; i < parts_.size(); ++i) parts_[i]->load_state_dict(state.at("schedulers").at(i));
  }

  std::vector<std::unique_ptr<LrScheduler>> parts_;
};

class Sequential final : public Composed {
 public:
  explicit Sequential(const SchedulerArgs& args)
      : Composed(args, "schedule 'sequential'"), milestones_(args.options["milestones"].get<std::vector<int64_t>>()) {
    if (milestones_.size() + 1 != parts_.size() || !std::is_sorted(milestones_.begin(), milestones_.end()))
      throw Error(ErrorCode::scheduler_misconfigured, "schedule 'sequential': " + std::to_string(parts_.size()) +
                                                          " schedules need one milestone less, in rising order");
  }

  // When it was made, each part set the learning rates to its own step 0, but only the first part may do so.
  void start() override {
    reset_lr(target_);
    for (auto& part : parts_) part->undo();
    parts_[0]->step();
    last_epoch_ = 0;
    remember_lr();
  }
  void step() override {
    ++last_epoch_;
    const auto next = std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch_);
    LrScheduler& part = *parts_[static_cast<size_t>(next - milestones_.begin())];
    if (next != milestones_.begin() && next[-1] == last_epoch_) {
      part.restart();
    } else {
      part.step();
    }
    remember_lr();
  }
  void restart() override {
    last_epoch_ = 0;
    parts_[0]->restart();
    remember_lr();
  }
  void undo() override {
    --last_epoch_;
    parts_[0]->undo();
  }

 private:
  std::vector<int64_t> milestones_;
};

class Chained final : public Composed {
 public:
  explicit Chained(const SchedulerArgs& args) : Composed(args, "schedule 'chained'") {}

  void start() override {
    last_epoch_ = 0;
    remember_lr();
  }
  void step() override {
    ++last_epoch_;
    for (auto& part : parts_) part->step();
    remember_lr();
  }
  // The closed form of one part would overwrite the parts before it. So all parts restart from the initial learning
  // rates and take their first steps.
  void restart() override {
    reset_lr(target_);
    while (last_epoch_ >= 0) undo();
    step();
  }
  void undo() override {
    --last_epoch_;
    for (auto& part : parts_) part->undo();
  }
};

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

std::vector<SchedulerKind> nested_schedulers() {
  return {{"sequential", make<Sequential>}, {"chained", make<Chained>}, {"warmup", make<Warmup>}};
}

}  // namespace levin::core
