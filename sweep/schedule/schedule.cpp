#include "sweep/schedule/schedule.hpp"

#include <algorithm>

#include "sweep/schedule/all_trials.hpp"
#include "sweep/schedule/asha.hpp"
#include "sweep/schedule/population.hpp"

namespace levin::core::sweep {

Assignment values_of(const Trial& trial, const std::vector<Parameter>& parameters) {
  Assignment out;
  for (const Parameter& parameter : parameters) out.push_back(trial.values.at(parameter.option));
  return out;
}

std::vector<Observation> observations(const Study& study, const std::vector<Parameter>& parameters) {
  std::vector<Observation> out;
  for (const Trial& trial : study.trials) {
    const bool same = std::all_of(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return trial.values.count(p.option) > 0; });
    if (!same) continue;
    Observation one{values_of(trial, parameters), std::nullopt, 0};
    if (!trial.at_epoch.empty() && trial.epochs() > 0) {
      one.epochs = trial.at_epoch.rbegin()->first;
      one.loss = study.loss(trial.at_epoch.rbegin()->second);
    }
    if (trial.value) one.loss = study.loss(*trial.value);
    if (trial.state == TrialState::failed) one.loss.reset();
    out.push_back(one);
  }
  return out;
}

int64_t started_trials(const Study& study) {
  return std::count_if(study.trials.begin(), study.trials.end(),
                       [](const Trial& trial) { return trial.is_of_sweep(); });
}

std::unique_ptr<Schedule> make_schedule(const ScheduleOptions& options, const std::vector<Parameter>& parameters,
                                        std::unique_ptr<Sampler> sampler) {
  switch (options.kind) {
    case ScheduleKind::asha:
      return std::make_unique<Asha>(options, parameters, std::move(sampler));
    case ScheduleKind::pbt:
      return std::make_unique<Population>(options, parameters, std::move(sampler));
    case ScheduleKind::none:
      break;
  }
  return std::make_unique<AllTrials>(options, parameters, std::move(sampler));
}

}  // namespace levin::core::sweep
