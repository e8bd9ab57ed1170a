// The learning rates of one optimizer as schedules see them. All schedules of an optimizer share its target.
#pragma once
#include <cstddef>
#include <vector>

namespace levin::core {

class LrTarget {
 public:
  virtual ~LrTarget() = default;

  virtual std::size_t group_count() const = 0;
  virtual double lr(std::size_t group) const = 0;
  virtual void set_lr(std::size_t group, double value) = 0;

  // Momentum, or the first of Adam's betas; what schedules that cycle momentum move.
  virtual bool has_momentum() const = 0;
  virtual double momentum(std::size_t group) const = 0;
  virtual void set_momentum(std::size_t group, double value) = 0;

  // The learning rate that a group had when its first schedule was made. Groups without one are NaN.
  double initial_lr(std::size_t group) const;
  void set_initial_lr(std::size_t group, double value);

 private:
  std::vector<double> initial_lr_;
};

}  // namespace levin::core
