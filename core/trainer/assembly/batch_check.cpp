#include "core/trainer/assembly/batch_check.hpp"

#include <algorithm>
#include <vector>

#include "core/config/trainer/host_options.hpp"
#include "core/data/loader_checks.hpp"

namespace levin::core {
namespace {

const Limit& limit_of(const RunPlan& plan, uint32_t split) {
  const Limit* limits[LEVIN_SPLITS] = {&plan.limits.train, &plan.limits.val, &plan.limits.test, &plan.limits.predict};
  return *limits[split];
}

std::vector<uint32_t> splits_of(uint32_t stage) {
  if (stage == LEVIN_STAGE_FIT) return {LEVIN_TRAIN, LEVIN_VAL};
  if (stage == LEVIN_STAGE_VALIDATE) return {LEVIN_VAL};
  return {stage == LEVIN_STAGE_TEST ? LEVIN_TEST : LEVIN_PREDICT};
}

}  // namespace

void check_batches(const DataModule& data, const RunSettings& settings, uint32_t stage, int processes) {
  if (data.plans_loaders()) return;
  const LoaderDefaults options = make_loader_defaults(settings.config.loader, settings.config.loader_given);
  const int64_t of_training =
      options.global_batch_size > 0 ? options.global_batch_size / processes : options.batch_size;
  for (const uint32_t split : splits_of(stage)) {
    if (limit_of(settings.plan, split).off()) continue;
    const int64_t batch = split == LEVIN_TRAIN ? of_training : options.eval_batch_size;
    for (uint32_t loader = 0; loader < data.loaders(split); ++loader)
      if (const auto info = data.describe(split, loader)) {
        const int64_t own_rows = (info->rows + processes - 1) / processes;
        check_batch_memory({data, split, loader, *info}, info->rows < 0 ? batch : std::min(batch, own_rows));
      }
  }
}

}  // namespace levin::core
