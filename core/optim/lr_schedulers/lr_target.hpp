// The interface of schedules to the learning rates of one optimizer, shared by all its schedules.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace levin::core {

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

}  // namespace levin::core
