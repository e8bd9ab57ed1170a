// The arguments of the model's overrides of optimizer and scheduler steps.
#pragma once
#include <cmath>

#include "core/progress/run_progress.hpp"

namespace levin::core {

// Returns arguments without a scheduler, metric, loss, clipping or closure; the caller adds the ones that its override
// has.
inline levin_optim_call make_optim_call(levin_run* run, const RunProgress& progress, uint32_t optimizer) {
  levin_optim_call call{};
  call.size = sizeof call;
  call.run = run;
  call.epoch = progress.current_epoch();
  call.batch_idx = progress.batch_idx();
  call.optimizer_idx = optimizer;
  call.scheduler_idx = -1;
  call.metric = call.clip_val = std::nan("");
  return call;
}

}  // namespace levin::core
