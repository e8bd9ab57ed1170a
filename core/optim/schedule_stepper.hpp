// Steps the learning-rate schedules when they are due: by optimizer steps or by epochs, those that monitor a metric
// after the validation that logs it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/progress/run_progress.hpp"

namespace levin::core {

class ScheduleStepper {
 public:
  // run: what an override of lr_scheduler_step is told. All outlive this.
  ScheduleStepper(const Model& model, OptimizerSet& optimizers, LoggerConnector& log, RunProgress& progress,
                  levin_run* run, std::function<void(const std::string&)> warn);

  enum class Kind { plain, monitored };  // those that monitor a metric, or the others
  // After a batch with an optimizer step. turns: the optimizers that took the batch; only their schedules move.
  void after_batch(Kind kind, const std::vector<uint32_t>& turns);
  void after_epoch(Kind kind);

 private:
  bool due(const ScheduleConfig& schedule, Kind kind, bool by_step) const;
  void step(uint32_t index, ScheduleConfig& schedule);
  void advance(uint32_t index, ScheduleConfig& schedule, double metric);
  // False where nobody logged the metric and the schedule is not strict. Throws Error{run} where it is.
  bool monitored_metric(const ScheduleConfig& schedule, double& value) const;

  const Model& model_;
  OptimizerSet& optimizers_;
  LoggerConnector& log_;
  RunProgress& progress_;
  levin_run* run_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace levin::core
