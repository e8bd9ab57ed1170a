#include "core/loops/sanity_check.hpp"

#include "core/loops/val_schedule.hpp"

namespace levin::core {

void run_sanity_check(RunContext& c, EvaluationLoop& validation) {
  const int64_t most = c.plan.num_sanity_val_steps;  // -1 is `unlimited`
  if (most == 0 || !validation.enabled()) return;
  c.at().stage = LEVIN_STAGE_SANITY;
  c.hooks.fire(LEVIN_HOOK_SANITY_CHECK_START);
  validation.run(LEVIN_STAGE_SANITY, most);
  c.log.drop_sanity_metrics();
  c.progress.val_batch = {};
  c.progress.is_last_val_batch = false;
  c.at().stage = LEVIN_STAGE_SANITY;
  c.hooks.fire(LEVIN_HOOK_SANITY_CHECK_END);
  c.at().stage = LEVIN_STAGE_FIT;
  // As in Lightning, the loaders of the check serve an epoch that validates, and are made again for a later one.
  if (c.plan.reload_dataloaders_every_n_epochs > 0 && !validates_in_epoch(c.plan, c.at().epoch))
    c.loaders.reload(LEVIN_VAL);
}

}  // namespace levin::core
