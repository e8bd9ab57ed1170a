// Helpers for schedules that contain other schedules.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {

// Makes and starts the schedule described by an object such as {"name": "linear", "total_iters": 5}. owner: the outer
// schedule's name for messages.
std::unique_ptr<LrScheduler> make_nested(const nlohmann::json& item, const SchedulerArgs& args,
                                         const std::string& owner);

// Resets every group to its initial learning rate.
void reset_lr(LrTarget& target);

}  // namespace levin::core
