// References to the parts that every loop uses. A LoopContext owns none of them.
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/data/loader_set.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/loops/fit_rules.hpp"
#include "core/loops/optimization/accumulation.hpp"
#include "core/loops/run_agreement.hpp"
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
  Accumulation& accumulation;
  RunAgreement& agreement;
  std::function<void()> end_batch;  // called after each batch; throws Interrupt to end the run; may be empty
  Warn warn;
  using Clock = std::chrono::steady_clock;
  Clock::time_point (*now)() = Clock::now;  // clock for a val_check_interval given as a time

  template <class... Fill>
  levin_status fire(uint32_t hook, Fill&&... fill) const {
    return hooks.fire(hook, progress, std::forward<Fill>(fill)...);
  }
  // Returns true if no process has a batch when this one has none. If the sampler is distributed, rank 0 has the most
  // rows.
  bool speaks_for_all() const {
    return !strategy.several() || (plan.processes.use_distributed_sampler && strategy.processes().rank() == 0);
  }
  StopInputs stop_inputs() const {
    return {progress.epochs_processed(), progress.global_step(), progress.stop.asked()};
  }
  LogAxis log_axis() const { return {progress.current_epoch(), progress.batches_that_stepped()}; }
};

}  // namespace levin::core
