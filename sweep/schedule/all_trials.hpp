// Every trial trains to its end.
#pragma once
#include <algorithm>

#include "sweep/schedule/schedule.hpp"

namespace levin::core::sweep {

class AllTrials : public Schedule {
 public:
  AllTrials(ScheduleOptions options, std::vector<Parameter> parameters, std::unique_ptr<Sampler> sampler)
      : options_(options), parameters_(std::move(parameters)), sampler_(std::move(sampler)) {}

  Step next(const Study& study) override {
    Step out;
    const int64_t started = started_trials(study);
    if (started < options_.trials)
      if (const auto values = sampler_->next(static_cast<uint64_t>(started), observations(study, parameters_))) {
        out.what = Step::What::start;
        out.values = *values;
        return out;
      }
    const bool busy = std::any_of(study.trials.begin(), study.trials.end(), [](const Trial& t) { return t.is_busy(); });
    out.what = busy ? Step::What::wait : Step::What::finish;
    return out;
  }
  bool pauses(const Trial&) const override { return false; }

 private:
  const ScheduleOptions options_;
  const std::vector<Parameter> parameters_;
  const std::unique_ptr<Sampler> sampler_;
};

}  // namespace levin::core::sweep
