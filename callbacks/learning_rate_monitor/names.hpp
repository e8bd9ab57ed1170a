// The names under which learning rates are logged: lr-SGD, lr-SGD-1, lr-SGD/pg1, lr-SGD/bias.
#pragma once
#include <string>
#include <vector>

namespace levin::learning_rate_monitor {

struct Optimizer {
  std::string name;                 // "SGD"
  std::vector<std::string> groups;  // the names of its groups; "" if a group has none
  std::string label;                // of its scheduler; "" if it has none
};

// For each optimizer the names of its groups, with the prefix. Optimizers of the same kind are numbered in the given
// order, in which those with a schedule come first. Throws Error if two groups have the same name.
std::vector<std::vector<std::string>> names(const std::vector<Optimizer>& optimizers, const std::string& prefix);

// Whether an optimizer's learning rate is logged at this moment ("step" or "epoch"). The user's interval decides if
// there is one, else the scheduler's own; each is "" if not given.
bool logs_at(const std::string& moment, const std::string& own_interval, const std::string& wanted_interval);

}  // namespace levin::learning_rate_monitor
