// The names under which learning rates are logged: lr-SGD, lr-SGD-1, lr-SGD/pg1, lr-SGD/bias.
#pragma once
#include <string>
#include <vector>

namespace levin::learning_rate_monitor {

struct Optimizer {
  std::string name;                 // "SGD"
  std::vector<std::string> groups;  // their names; "": none
  std::string label;                // of its scheduler; "": none
};

// For each optimizer the names of its groups, after the prefix. Numbers are given in this order, which has those with a
// schedule first. Two groups of one name: Error.
std::vector<std::vector<std::string>> names(const std::vector<Optimizer>& optimizers, const std::string& prefix);

// Which of the two moments logs an optimizer: its scheduler's own interval ("" if it has none), unless the user wants
// one for all (""  if not).
bool logs_at(const std::string& moment, const std::string& own_interval, const std::string& wanted_interval);

}  // namespace levin::learning_rate_monitor
