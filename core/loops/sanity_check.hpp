// Runs a few validation batches before a fit, so that errors in validation_step appear before hours of training.
#pragma once
#include "core/loops/evaluation_loop.hpp"

namespace levin::core {

// Does nothing if trainer.num_sanity_val_steps is 0 or validation is not enabled. The metrics of the check are dropped.
void run_sanity_check(const LoopContext& context, EvaluationLoop& validation);

}  // namespace levin::core
