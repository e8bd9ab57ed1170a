// Steps the learning-rate schedules when they are due, by optimizer steps or by epochs. Schedules that monitor a metric
// are stepped after the validation that logs it.
#pragma once
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/components/model.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/progress/run_progress.hpp"

namespace levin::core {

class ScheduleStepper {
 public:
  // run: passed to the model's override of lr_scheduler_step. All arguments must outlive the stepper.
  ScheduleStepper(const Model& model, OptimizerSet& optimizers, LoggerConnector& log, RunProgress& progress,
                  levin_run* run, Warn warn);

  enum class Kind { plain, monitored };  // schedules without and with a monitored metric
  // Call after a batch with an optimizer step. optimizers: those that stepped on the batch; only their schedules are
  // stepped.
  void after_batch(Kind kind, const std::vector<uint32_t>& optimizers);
  void after_epoch(Kind kind);

 private:
  bool due(const ScheduleConfig& schedule, Kind kind, bool by_step) const;
  void step(uint32_t index, ScheduleConfig& schedule);
  void advance(uint32_t index, ScheduleConfig& schedule, double metric);
  // Returns false if the metric was not logged. If the schedule is strict, throws Error{run} instead.
  bool monitored_metric(const ScheduleConfig& schedule, double& value) const;

  const Model& model_;
  OptimizerSet& optimizers_;
  LoggerConnector& log_;
  RunProgress& progress_;
  levin_run* run_;
  Warn warn_;
};

}  // namespace levin::core
