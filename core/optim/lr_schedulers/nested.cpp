#include "core/optim/lr_schedulers/nested.hpp"

#include <cmath>

#include "core/base/error.hpp"

namespace levin::core {

std::unique_ptr<LrScheduler> make_nested(const nlohmann::json& item, const SchedulerArgs& args,
                                         const std::string& owner) {
  if (!item.is_object() || !item.contains("name") || !item["name"].is_string()) {
    throw Error(ErrorKind::usage,
                owner + R"(: expected a schedule as {"name": "linear", "total_iters": 5}, not )" + item.dump());
  }
  nlohmann::json options = item;
  options.erase("name");
  return make_scheduler(item["name"], options, args.target, args.context);
}

void reset_lr(LrTarget& target) {
  for (size_t i = 0; i < target.group_count(); ++i) {
    if (!std::isnan(target.initial_lr(i))) target.set_lr(i, target.initial_lr(i));
  }
}

}  // namespace levin::core
