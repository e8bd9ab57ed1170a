// The learning rate of the backbone after it is unfrozen.
#pragma once
#include <optional>

namespace levin::backbone_finetuning {

struct BackboneLr {
  std::optional<double> initial;  // the first rate; nullopt = initial_ratio times the head's rate
  double initial_ratio = 0.1;
  double factor = 2.0;       // factor per epoch
  bool should_align = true;  // keeps the rate from exceeding the head's

  double first(double head_lr) const { return initial.value_or(head_lr * initial_ratio); }
  double next(double previous, double head_lr) const {
    const double lr = factor * previous;
    return should_align && lr > head_lr ? head_lr : lr;
  }
};

}  // namespace levin::backbone_finetuning
