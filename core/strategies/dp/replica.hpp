// The model instances of one process, and what their steps need of the run.
#pragma once
#include <cstddef>
#include <vector>

#include "core/components/model.hpp"
#include "core/strategies/dp/joined_logs.hpp"

namespace levin::core {

class Replicas {
 public:
  virtual ~Replicas() = default;
  // The model instances. The first is the run's own model: it has the optimizers, the hooks and the saved state.
  virtual const std::vector<Model*>& models() const = 0;
  // begin_step() returns the run handle for the steps of a replica; values logged with it go into the record.
  // begin_step() is called on the thread that runs the step, end_step() on the training thread.
  virtual levin_run* begin_step(size_t replica, StepRecord& record) = 0;
  virtual void end_step(size_t replica) = 0;
  // Logs a value merged over all replicas.
  virtual void log(LogOrigin origin, const levin_log& log, const std::optional<double>& step) = 0;
};

}  // namespace levin::core
