// Asynchronous successive halving: Li et al., "A System for Massively Parallel Hyperparameter Tuning", MLSys 2020,
// algorithm 2. A trial trains for min_epochs, and waits. The best of each `factor` trials of a rung are promoted to the
// next one, which has `factor` times the epochs.
#pragma once
#include "sweep/schedule/schedule.hpp"

namespace levin::core::sweep {

class Asha : public Schedule {
 public:
  Asha(ScheduleOptions options, std::vector<Parameter> parameters, std::unique_ptr<Sampler> sampler);
  Step next(const Study& study) override;
  bool pauses(const Trial& trial) const override { return trial.epochs() < rungs_.back(); }
  const std::vector<int64_t>& rungs() const { return rungs_; }  // numbers of epochs

 private:
  // Returns the best trial that waits at the rung and is among the best 1/factor of it; with `any`, of all that wait.
  const Trial* promotable(const Study& study, int64_t rung, bool any) const;
  Step promotion(const Study& study, bool any) const;  // Step::wait if there is none

  const ScheduleOptions options_;
  const std::vector<Parameter> parameters_;
  const std::unique_ptr<Sampler> sampler_;
  std::vector<int64_t> rungs_;
};

}  // namespace levin::core::sweep
