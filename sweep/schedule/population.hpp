// Population based training: Jaderberg et al., "Population Based Training of Neural Networks", 2017, with truncation
// selection. All members train for a generation. Then each of the worst fifth is replaced by a trial that begins with
// the weights of one of the best fifth and changes its values by a factor of 0.8 or 1.2 (a listed value: to its
// neighbour), or draws them anew with probability 0.25, as in the paper and in Ray.
#pragma once
#include "sweep/schedule/schedule.hpp"

namespace levin::core::sweep {

class Population : public Schedule {
 public:
  Population(ScheduleOptions options, std::vector<Parameter> parameters, std::unique_ptr<Sampler> sampler);
  Step next(const Study& study) override;
  bool pauses(const Trial& trial) const override { return generation_of(trial) < generations_; }

 private:
  // The generation that a trial trains in or has reached the end of, from 1.
  int64_t generation_of(const Trial& trial) const { return trial.generation() + trial.epochs() / options_.interval; }
  std::vector<const Trial*> members(const Study& study) const;  // the newest trial of each; nullptr = none yet
  // Returns the trials that have ended this generation, best first; failed ones are missing.
  std::vector<const Trial*> ranked(const Study& study, int64_t generation) const;
  Step after_generation(const Study& study, int64_t generation, const std::vector<const Trial*>& members) const;
  Step replacement(const Trial& parent, int64_t member, int64_t generation) const;
  double explored(const Parameter& parameter, double value, uint64_t number) const;

  const ScheduleOptions options_;
  const std::vector<Parameter> parameters_;
  const std::unique_ptr<Sampler> sampler_;
  const int64_t generations_;
};

}  // namespace levin::core::sweep
