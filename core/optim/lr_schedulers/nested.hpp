// Helpers for schedules that are made of other schedules.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {

// Makes and starts the schedule that an object such as {"name": "linear", "total_iters": 5} describes. `owner` is the
// outer schedule's name for messages.
std::unique_ptr<LrScheduler> make_nested(const nlohmann::json& item, const SchedulerArgs& args,
                                         const std::string& owner);

// Sets every group back to its initial learning rate.
void reset_lr(LrTarget& target);

}  // namespace levin::core
