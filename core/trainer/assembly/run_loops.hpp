// The loops of a run, and the loaders, optimizers and logged metrics that only the loops use.
#pragma once
#include <functional>
#include <memory>

#include "core/base/error.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/loops/loop_context.hpp"
#include "core/loops/optimization/optimization.hpp"
#include "core/trainer/assembly/run_components.hpp"
#include "core/trainer/assembly/run_device.hpp"

namespace levin::core {

struct RunLoopsParts {
  RunSettings& settings;
  RunComponents& components;
  RunDevice& device;
  const World& world;
  RunAgreement& agreement;
  Dispatcher& hooks;  // set_run() has been called
  LoggerList& loggers;
  RunProgress& progress;
  std::function<void()> end_batch;
  Warn warn;
};

struct RunLoops {
  explicit RunLoops(const RunLoopsParts& parts);
  RunLoops(const RunLoops&) = delete;
  RunLoops& operator=(const RunLoops&) = delete;

  LoaderSet loaders;
  OptimizerSet optimizers;
  LoggerConnector log;
  Accumulation accumulation;
  LoopContext context;
  std::unique_ptr<Optimization> optimization;
  EvaluationLoop validation, test;
  FitLoop fit;
};

}  // namespace levin::core
