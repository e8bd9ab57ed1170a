// The rule for when an average is updated with the current weights.
#pragma once
#include <cstdint>
#include <optional>

namespace levin::weight_averaging {

// Steps and epochs count from 0. An update follows each step that every_n_steps divides, from starting_at_step on;
// every_n_steps 0 = no step. An update also follows each epoch from starting_at_epoch on, if that is given.
struct UpdateRule {
  int64_t every_n_steps = 1;
  std::optional<int64_t> starting_at_step, starting_at_epoch;

  bool after_step(int64_t step) const {
    return every_n_steps > 0 && step >= starting_at_step.value_or(0) && step % every_n_steps == 0;
  }
  bool after_epoch(int64_t epoch) const { return starting_at_epoch && epoch >= *starting_at_epoch; }
};

}  // namespace levin::weight_averaging
