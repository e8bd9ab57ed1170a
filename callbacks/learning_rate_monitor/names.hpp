// The names under which learning rates are logged: lr-SGD, lr-SGD-1, lr-SGD/pg1, lr-SGD/bias.
#pragma once
#include <string>
#include <vector>

namespace levin::learning_rate_monitor {

struct Optimizer {
  std::string name;                 // "SGD"
  std::vector<std::string> groups;  // names of its parameter groups; "" = none
  std::string label;                // label of its scheduler; "" = none
};

// Returns the names of each optimizer's groups, with the prefix. Optimizers of the same kind are numbered in the given
// order; those with a schedule come first. Throws Error if two groups have the same name.
std::vector<std::vector<std::string>> names(const std::vector<Optimizer>& optimizers, const std::string& prefix);

// Returns true if an optimizer's learning rate is logged at this moment ("step" or "epoch"). wanted_interval (the
// user's) takes precedence over own_interval (the scheduler's); "" = not given.
bool logs_at(const std::string& moment, const std::string& own_interval, const std::string& wanted_interval);

}  // namespace levin::learning_rate_monitor
