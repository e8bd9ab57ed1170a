#include "core/loops/sanity_check.hpp"

#include "core/checkpoint/generators.hpp"
#include "core/loops/fit_rules.hpp"

namespace levin::core {

void run_sanity_check(const LoopContext& context, EvaluationLoop& validation) {
  const int64_t most = context.plan.validation.num_sanity_val_steps;  // -1 equals `unlimited`
  if (most == 0 || !validation.enabled()) return;
  // Restores the generators, so that training draws the same random numbers with and without the check.
  const GeneratorScope generators(context.strategy.device(), context.strategy.further_generators());
  RunProgress& progress = context.progress;
  progress.place.stage = LEVIN_STAGE_SANITY;
  context.fire(LEVIN_HOOK_SANITY_CHECK_START);
  validation.run(LEVIN_STAGE_SANITY, most);
  context.log.drop_sanity_metrics();
  progress.forget_evaluations();
  progress.place.stage = LEVIN_STAGE_SANITY;
  context.fire(LEVIN_HOOK_SANITY_CHECK_END);
  progress.place.stage = LEVIN_STAGE_FIT;
  // As in Lightning, the loaders of the check are reused if this epoch validates; otherwise they are created again
  // later.
  if (context.plan.data.reload_dataloaders_every_n_epochs > 0 &&
      !validates_in_epoch(context.plan, progress.current_epoch()))
    context.loaders.reload(LEVIN_VAL);
}

}  // namespace levin::core
