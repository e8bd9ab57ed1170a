// Makes the learning-rate schedules of the schedule table (core/config/optim) by name.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/optim/lr_schedulers/lr_scheduler.hpp"

namespace levin::core {

// A number of steps, computed on first use.
class StepTotal {
 public:
  StepTotal(int64_t known = 0) : find_([known] { return known; }) {}  // NOLINT(google-explicit-constructor)
  explicit StepTotal(std::function<int64_t()> find) : find_(std::move(find)) {}
  operator int64_t() const { return find_(); }  // NOLINT(google-explicit-constructor)

 private:
  std::function<int64_t()> find_;
};

struct SchedulerContext {
  // The factor functions of "lambda" and "multiplicative": one for all groups, or one per group.
  std::vector<std::function<double(int64_t step)>> factors;
  // The number of times the schedule will be stepped; 0 = unknown. The default of options such as one_cycle's
  // total_steps.
  StepTotal total_steps;
};

// Makes a schedule and sets the target's learning rates to those of step 0. The target must outlive the schedule.
// Options that are schedules are objects: {"name": "linear", "total_iters": 5}. Throws Error{usage} that lists the
// valid names.
std::unique_ptr<LrScheduler> make_scheduler(const std::string& name, const nlohmann::json& options, LrTarget& target,
                                            const SchedulerContext& context = {});

}  // namespace levin::core
