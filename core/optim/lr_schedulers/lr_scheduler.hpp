// A learning-rate schedule: changes the learning rates, and in some schedules the momenta, of an LrTarget, which
// usually is an Optimizer.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/optim/lr_schedulers/lr_target.hpp"

namespace levin::core {

// Values are computed from the previous ones as in Python's torch.optim.lr_scheduler, so that a change that others make
// to a learning rate between two steps has the same effect as in Python. Creating a schedule sets the values of step 0.
// To resume, create it as before and then load the states of the optimizer and of the schedule.
class LrScheduler {
 public:
  explicit LrScheduler(LrTarget& target) : target_(target) {}
  virtual ~LrScheduler() = default;
  LrScheduler(const LrScheduler&) = delete;
  LrScheduler& operator=(const LrScheduler&) = delete;

  const std::string& id() const { return id_; }      // "one_cycle"
  const std::string& name() const { return name_; }  // "OneCycleLR"
  const nlohmann::json& options() const { return options_; }

  // If true, call step(metric). A schedule that needs no metric ignores it.
  virtual bool needs_metric() const { return false; }
  virtual void step();
  virtual void step(double metric);
  void advance(double metric) { needs_metric() ? step(metric) : step(); }

  const std::vector<double>& last_lr() const { return last_lr_; }  // of each group, after the last step

  virtual nlohmann::json state_dict() const;
  void load_state_dict(const nlohmann::json& state);  // throws Error{checkpoint}

  // Whether the rates are those of its options, and not the optimizer's.
  virtual bool has_own_rates() const { return false; }
  // The optimizer's rates were multiplied by this, and so are those that the schedule remembers.
  virtual void scale_rates(double factor);

  // These are for make_scheduler and for schedules that are made of others.
  virtual void start();                   // takes the first step, which sets the values of step 0
  virtual void restart();                 // goes to step 0 from any step
  virtual void undo() { --last_epoch_; }  // uncounts the last step without changing the learning rates
  void set_names(std::string id, std::string name);
  void set_options(nlohmann::json options) { options_ = std::move(options); }

 protected:
  // The learning rate of the group at last_epoch_, from its present learning rate or from base_lr(group).
  virtual double next_lr(size_t group) = 0;
  // The same computed from base_lr(group) alone, in schedules that have such a form.
  virtual double closed_form_lr(size_t group) { return next_lr(group); }
  // Groups that are added to the optimizer later have no base learning rate; schedules that need one leave them alone.
  virtual bool needs_base_lr() const { return false; }
  void remember_lr();  // sets last_lr_
  // Loads what the schedule's own state_dict() adds to the common part.
  virtual void load_more(const nlohmann::json&) {}

  double lr(size_t group) const { return target_.lr(group); }
  double base_lr(size_t group) const { return base_lrs_[group]; }

  LrTarget& target_;
  std::vector<double> base_lrs_;
  std::vector<double> last_lr_;
  int64_t last_epoch_ = -1;

 private:
  std::string id_, name_;
  nlohmann::json options_;
};

}  // namespace levin::core
