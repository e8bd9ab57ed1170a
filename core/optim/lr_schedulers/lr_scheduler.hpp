// A learning-rate schedule: moves the learning rates (and, some, the momenta) of an LrTarget, usually an Optimizer.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/optim/lr_schedulers/lr_target.hpp"

namespace levin::core {

// Values are computed from the previous ones as Python's torch.optim.lr_scheduler does, so that what others do to a
// learning rate between two steps is kept where Python keeps it. Creating a schedule sets the values of step 0.
// Resuming: create it as before, then load the optimizer's state and the schedule's.
class LrScheduler {
 public:
  explicit LrScheduler(LrTarget& target) : target_(target) {}
  virtual ~LrScheduler() = default;
  LrScheduler(const LrScheduler&) = delete;
  LrScheduler& operator=(const LrScheduler&) = delete;

  const std::string& id() const { return id_; }      // "one_cycle"
  const std::string& name() const { return name_; }  // "OneCycleLR"

  // True: step(metric) is the one to call. A schedule that needs none ignores the metric.
  virtual bool needs_metric() const { return false; }
  virtual void step();
  virtual void step(double metric);
  void advance(double metric) { needs_metric() ? step(metric) : step(); }

  const std::vector<double>& last_lr() const { return last_lr_; }  // of each group, after the last step
  int64_t last_epoch() const { return last_epoch_; }               // steps since the start; 0 right after creation

  virtual nlohmann::json state_dict() const;
  void load_state_dict(const nlohmann::json& state);  // throws Error{checkpoint}

  // For make_scheduler and for schedules made of others. start: the first step, which sets the values of step 0.
  // restart: go to step 0 from anywhere. undo: forget the last step, but not what it did to the learning rates.
  virtual void start();
  virtual void restart();
  virtual void undo() { --last_epoch_; }
  void set_names(std::string id, std::string name);

 protected:
  // Group i at last_epoch_, from its present learning rate or from base_lr(i).
  virtual double next_lr(std::size_t group) = 0;
  // The same without the past, where there is such a form.
  virtual double closed_form_lr(std::size_t group) { return next_lr(group); }
  // Groups that join the optimizer later have no base learning rate; schedules that need one leave them alone.
  virtual bool needs_base_lr() const { return false; }
  void remember_lr();
  // What state_dict() adds to the common part.
  virtual void load_more(const nlohmann::json&) {}

  double lr(std::size_t group) const { return target_.lr(group); }
  double base_lr(std::size_t group) const { return base_lrs_[group]; }

  LrTarget& target_;
  std::vector<double> base_lrs_;
  std::vector<double> last_lr_;
  int64_t last_epoch_ = -1;

 private:
  std::string id_, name_;
};

}  // namespace levin::core
