// The learning rate of a backbone, from the epoch in which it is unfrozen.
#pragma once
#include <optional>

namespace levin::backbone_finetuning {

struct BackboneLr {
  std::optional<double> initial;  // the first rate; if not given, initial_ratio times the head's rate
  double initial_ratio = 0.1;
  double factor = 2.0;       // from one epoch to the next
  bool should_align = true;  // keeps the rate from exceeding the head's

  double first(double head_lr) const { return initial.value_or(head_lr * initial_ratio); }
  double next(double previous, double head_lr) const {
    const double lr = factor * previous;
    return should_align && lr > head_lr ? head_lr : lr;
  }
};

}  // namespace levin::backbone_finetuning
