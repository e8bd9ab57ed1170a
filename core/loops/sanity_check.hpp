// A few validation batches before a fit, so that a mistake in the validation shows before hours of training.
#pragma once
#include "core/loops/evaluation_loop.hpp"

namespace levin::core {

// Does nothing where trainer.num_sanity_val_steps is 0 or nothing is validated. Its metrics are dropped.
void run_sanity_check(const LoopContext& context, EvaluationLoop& validation);

}  // namespace levin::core
