// Schedules that contain other schedules: sequential, chained.
#include <algorithm>

#include "core/base/error.hpp"
#include "core/optim/lr_schedulers/families.hpp"
#include "core/optim/lr_schedulers/nested.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

class Composed : public LrScheduler {
 public:
  Composed(const SchedulerArgs& args, const char* owner) : LrScheduler(args.target) {
    for (const json& item : args.options["schedulers"]) {
      parts_.push_back(make_nested(item, args, owner));
      if (!parts_.back()->needs_metric()) continue;
      throw Error(ErrorKind::usage, std::string(owner) + " cannot hold a schedule that needs a metric");
    }
    if (parts_.empty()) throw Error(ErrorKind::usage, std::string(owner) + ": 'schedulers' is empty");
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
    if (milestones_.size() + 1 != parts_.size() || !std::is_sorted(milestones_.begin(), milestones_.end())) {
      throw Error(ErrorKind::usage, "schedule 'sequential': " + std::to_string(parts_.size()) +
                                        " schedules need one milestone less, in rising order");
    }
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

}  // namespace

std::vector<SchedulerKind> composed_schedulers() {
  return {{"sequential", make<Sequential>}, {"chained", make<Chained>}};
}

}  // namespace levin::core
