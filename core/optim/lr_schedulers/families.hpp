// The families of schedules, each in its own file. The registry joins them.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/optim/lr_schedulers/lr_scheduler.hpp"

namespace levin::core {

inline constexpr double pi = 3.14159265358979323846;

struct SchedulerArgs {
  const nlohmann::json& options;  // resolved: has every option of the table
  LrTarget& target;
  const SchedulerContext& context;
};

struct SchedulerKind {
  const char* id;                                              // as in the schedule table
  std::unique_ptr<LrScheduler> (*make)(const SchedulerArgs&);  // returns a schedule that is not yet started
};

std::vector<SchedulerKind> formula_schedulers();
std::vector<SchedulerKind> cosine_schedulers();
std::vector<SchedulerKind> cycle_schedulers();
std::vector<SchedulerKind> function_schedulers();
std::vector<SchedulerKind> plateau_schedulers();
std::vector<SchedulerKind> nested_schedulers();

template <class T>
std::unique_ptr<LrScheduler> make(const SchedulerArgs& args) {
  return std::make_unique<T>(args);
}

}  // namespace levin::core
