// References to the parts of a run: what the loops work with. Nothing here owns anything.
#pragma once
#include <functional>

#include "core/config/run_plan.hpp"
#include "core/data/loader_set.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/loops/optimization/optimization.hpp"
#include "core/loops/stop_rule.hpp"
#include "core/progress/progress.hpp"

namespace levin::core {

struct RunContext {
  const RunPlan& plan;
  Model& model;
  DataModule& data;
  LoaderSet& loaders;
  Dispatcher& hooks;
  Precision& precision;
  Strategy& strategy;
  OptimizerSet& optimizers;
  Optimization& optimization;
  LoggerConnector& log;
  FitProgress& progress;
  StopRequest& stop;
  levin_run* run;
  std::function<void()> end_batch;  // after each batch; throws Interrupt
  std::function<void(const std::string&)> warn;

  Position& at() const { return hooks.position(); }
  StopQuestion stop_question() const { return {progress.epochs_processed(), at().global_step, stop.asked()}; }
  bool can_stop_early() const { return core::can_stop_early(plan, stop_question()); }
  LogAxis axis() const { return {at().epoch, progress.batches_that_stepped}; }
};

}  // namespace levin::core
