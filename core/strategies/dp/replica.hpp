// The instances of the model in one process, and what a step of them meets of the run.
#pragma once
#include <cstddef>
#include <vector>

#include "core/components/model.hpp"
#include "core/logging/replicas/joined_logs.hpp"

namespace levin::core {

class Replicas {
 public:
  virtual ~Replicas() = default;
  // The first is the run's own model: it has the optimizers, the hooks and the state, and it is what is saved.
  virtual const std::vector<Model*>& models() const = 0;
  // The run that the steps of a replica get; what they log goes into the record. begin_step() is called on the thread
  // that runs the step, end_step() on the thread that trains.
  virtual levin_run* begin_step(size_t replica, StepRecord& record) = 0;
  virtual void end_step(size_t replica) = 0;
  // A value of all replicas.
  virtual void log(LogOrigin origin, const levin_log& log, const std::optional<double>& step) = 0;
};

}  // namespace levin::core
