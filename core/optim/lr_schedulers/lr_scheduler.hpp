// A learning-rate schedule: sets the learning rates, and in some schedules the momenta, of an LrTarget, usually an
// Optimizer.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace levin::core {

// The interface of schedules to the learning rates of one optimizer, shared by all its schedules.
class LrTarget {
 public:
  virtual ~LrTarget() = default;

  virtual size_t group_count() const = 0;
  virtual double lr(size_t group) const = 0;
  virtual void set_lr(size_t group, double value) = 0;

  // The momentum, or the first of Adam's betas, for schedules that also change the momentum.
  virtual bool has_momentum() const = 0;
  virtual double momentum(size_t group) const = 0;
  virtual void set_momentum(size_t group, double value) = 0;

  // Returns the group's learning rate when its first schedule was made, or NaN if it has no schedule.
  double initial_lr(size_t group) const;
  void set_initial_lr(size_t group, double value);

 private:
  std::vector<double> initial_lr_;
};

// Computes values from the previous ones, like Python's torch.optim.lr_scheduler, so that an external change of a
// learning rate between two steps has the same effect as in Python. Creating a schedule sets the values of step 0. To
// resume, create it as before and then load the states of the optimizer and of the schedule.
class LrScheduler {
 public:
  explicit LrScheduler(LrTarget& target) : target_(target) {}
  virtual ~LrScheduler() = default;
  LrScheduler(const LrScheduler&) = delete;
  LrScheduler& operator=(const LrScheduler&) = delete;

  const std::string& id() const { return id_; }      // e.g. "one_cycle"
  const std::string& name() const { return name_; }  // e.g. "OneCycleLR"
  const nlohmann::json& options() const { return options_; }

  // If true, call step(metric). Other schedules ignore the metric.
  virtual bool needs_metric() const { return false; }
  virtual void step();
  virtual void step(double metric);
  void advance(double metric) { needs_metric() ? step(metric) : step(); }

  const std::vector<double>& last_lr() const { return last_lr_; }  // per group, after the last step

  virtual nlohmann::json state_dict() const;
  void load_state_dict(const nlohmann::json& state);  // throws Error{checkpoint}

  // Returns true if the learning rates come from the schedule's options and not from the optimizer.
  virtual bool has_own_rates() const { return false; }
  // Multiplies the learning rates that the schedule stores, after the optimizer's were multiplied by `factor`.
  virtual void scale_rates(double factor);

  // The following functions are for make_scheduler and for composed schedules.
  virtual void start();                   // takes the first step, which sets the values of step 0
  virtual void restart();                 // goes to step 0 from any step
  virtual void undo() { --last_epoch_; }  // uncounts the last step without changing the learning rates
  void set_names(std::string id, std::string name);
  void set_options(nlohmann::json options) { options_ = std::move(options); }

 protected:
  // Returns the group's learning rate at last_epoch_, computed from its current learning rate or from base_lr(group).
  virtual double next_lr(size_t group) = 0;
  // The same computed from base_lr(group) alone, in schedules with a closed form.
  virtual double closed_form_lr(size_t group) { return next_lr(group); }
  // Groups added to the optimizer later have no base learning rate; schedules that need one skip these groups.
  virtual bool needs_base_lr() const { return false; }
  void remember_lr();  // sets last_lr_
  // Loads what the schedule adds to the common part of state_dict().
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

// A number of steps, computed on first use.
class StepTotal {
 public:
  StepTotal(int64_t known = 0) : find_([known] { return known; }) {}  // NOLINT(google-explicit-constructor)
  explicit StepTotal(std::function<int64_t()> find) : find_(std::move(find)) {}
  operator int64_t() const { return find_(); }  // NOLINT(google-explicit-constructor)

 private:
  std::function<int64_t()> find_;
};

struct SchedulerContext {
  // The factor functions of "lambda" and "multiplicative": one for all groups, or one per group.
  std::vector<std::function<double(int64_t step)>> factors;
  // The number of times the schedule will be stepped; 0 = unknown. The default of options such as one_cycle's
  // total_steps.
  StepTotal total_steps;
};

// Makes a schedule of the schedule table (core/config/optim) by name, and sets the target's learning rates to those of
// step 0. The target must outlive the schedule. Options that are schedules are objects: {"name": "linear",
// "total_iters": 5}. Throws Error{usage} that lists the valid names.
std::unique_ptr<LrScheduler> make_scheduler(const std::string& name, const nlohmann::json& options, LrTarget& target,
                                            const SchedulerContext& context = {});

}  // namespace levin::core
