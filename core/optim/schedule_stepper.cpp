#include "core/optim/schedule_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/optim/optim_call.hpp"

namespace levin::core {

ScheduleStepper::ScheduleStepper(const Model& model, OptimizerSet& optimizers, LoggerConnector& log,
                                 RunProgress& progress, levin_run* run, Warn warn)
    : model_(model), optimizers_(optimizers), log_(log), progress_(progress), run_(run), warn_(std::move(warn)) {}

void ScheduleStepper::after_batch(Kind kind, const std::vector<uint32_t>& optimizers) {
  auto& schedules = optimizers_.schedules();
  for (uint32_t i = 0; i < schedules.size(); ++i)
    if (due(schedules[i], kind, /*by_step=*/true) &&
        std::find(optimizers.begin(), optimizers.end(), schedules[i].optimizer) != optimizers.end())
      step(i, schedules[i]);
}

void ScheduleStepper::after_epoch(Kind kind) {
  auto& schedules = optimizers_.schedules();
  for (uint32_t i = 0; i < schedules.size(); ++i)
    if (due(schedules[i], kind, /*by_step=*/false)) step(i, schedules[i]);
}

// In manual optimization the model steps its schedules itself.
bool ScheduleStepper::due(const ScheduleConfig& s, Kind kind, bool by_step) const {
  if (s.paused || s.by_step != by_step || model_.manual_optimization()) return false;
  if (s.scheduler->needs_metric() != (kind == Kind::monitored)) return false;
  const int64_t done = (by_step ? progress_.batch_idx() : progress_.current_epoch()) + 1;
  return done % s.frequency == 0;
}

bool ScheduleStepper::monitored_metric(const ScheduleConfig& s, double& value) const {
  if (const auto monitored = log_.monitored(s.monitor)) return value = *monitored, true;
  std::string known;
  for (const auto& [name, v] : log_.metrics(MetricSet::callback).items()) known += (known.empty() ? "" : ", ") + name;
  const std::string text = "scheduler '" + s.scheduler->id() + "' monitors '" + s.monitor +
                           "', which was not logged; logged are: " + (known.empty() ? "nothing" : known);
  if (s.strict) throw Error(ErrorCode::metric_not_logged, text);
  warn_(text);
  return false;
}

void ScheduleStepper::step(uint32_t index, ScheduleConfig& s) {
  double value = std::nan("");
  if (s.scheduler->needs_metric() && !monitored_metric(s, value)) return;
  progress_.ready(Counted::schedule);
  advance(index, s, value);
  progress_.complete(Counted::schedule);
}

void ScheduleStepper::advance(uint32_t index, ScheduleConfig& s, double metric) {
  levin_optim_call call = make_optim_call(run_, progress_, s.optimizer);
  call.scheduler_idx = index;
  call.metric = metric;
  if (!model_.overrides().lr_scheduler_step(call)) s.scheduler->advance(metric);
}

}  // namespace levin::core
