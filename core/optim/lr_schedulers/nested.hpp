// For schedules made of others.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/optim/lr_schedulers/families.hpp"

namespace levin::core {

// {"name": "linear", "total_iters": 5} as a schedule, started. `owner` stands in messages.
std::unique_ptr<LrScheduler> make_nested(const nlohmann::json& item, const SchedulerArgs& args,
                                         const std::string& owner);

// Every group back to its initial learning rate.
void reset_lr(LrTarget& target);

}  // namespace levin::core
