// References to the parts that every loop works with. A LoopContext owns none of them.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "core/config/trainer/run_plan.hpp"
#include "core/data/loader_set.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/loops/run_agreement.hpp"
#include "core/loops/stop_rule.hpp"
#include "core/precision/precision.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

struct LoopContext {
  const RunPlan& plan;
  Model& model;
  LoaderSet& loaders;
  Dispatcher& hooks;
  Precision& precision;
  Strategy& strategy;
  LoggerConnector& log;
  RunProgress& progress;
  std::function<void()> end_batch;  // called after each batch; throws Interrupt to end the run. May be empty.
  std::function<void(const std::string&)> warn;
  RunAgreement* agreement = nullptr;    // of the processes of the run; nullptr: there is nothing to agree on
  EpochSteps* train_outputs = nullptr;  // where those of the training epoch are kept; nullptr: in its loop
  using Clock = std::chrono::steady_clock;
  Clock::time_point (*now)() = Clock::now;  // for a val_check_interval that is a time

  template <class... Fill>
  levin_status fire(uint32_t hook, Fill&&... fill) const {
    return hooks.fire(hook, progress, std::forward<Fill>(fill)...);
  }
  void agree() const {
    if (agreement) agreement->now();
  }
  void agree_before_batches() const {
    if (agreement) agreement->before_batches();
  }
  // Whether no process has a batch if this one has none. The first one has most, where they share the rows out.
  bool speaks_for_all() const {
    return !strategy.several() || (plan.use_distributed_sampler && strategy.processes().rank() == 0);
  }
  StopInputs stop_inputs() const {
    return {progress.epochs_processed(), progress.global_step(), progress.stop.asked()};
  }
  LogAxis log_axis() const { return {progress.current_epoch(), progress.batches_that_stepped}; }
};

}  // namespace levin::core
