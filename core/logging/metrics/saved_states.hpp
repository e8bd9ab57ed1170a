// States of one metric that several processes have saved, as one bag: a run of fewer processes holds several until the
// metric is logged again and takes them.
#pragma once
#include <vector>

#include "core/abi/state_bag.hpp"

namespace levin::core {

StateBag put_together(const std::vector<StateBag>& states);
std::vector<StateBag> taken_apart(const StateBag& bag);  // none for an empty bag

}  // namespace levin::core
