// Merges the states of one metric from several processes into one bag. A run with fewer processes holds several states
// until the metric is logged again and loads them.
#pragma once
#include <vector>

#include "core/abi/state_bag.hpp"

namespace levin::core {

StateBag put_together(const std::vector<StateBag>& states);
std::vector<StateBag> taken_apart(const StateBag& bag);  // empty for an empty bag

}  // namespace levin::core
