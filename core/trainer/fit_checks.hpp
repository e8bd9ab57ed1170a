// What a run needs of its model, data and options, asked before the work begins. Each throws Error that says what is
// missing.
#pragma once
#include "core/base/console/console.hpp"
#include "core/data/loader_set.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/progress/run_progress.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

void check_fit(const RunSettings& settings, const Model& model, const LoaderSet& loaders);
// Once they are made. Warns where there is none.
void check_optimizers(const Model& model, OptimizerSet& optimizers, Console& console);
// After a checkpoint was loaded to go on from. Warns where nothing is left to train.
void check_resumed(const RunPlan& plan, const RunProgress& progress, Console& console);
void check_predict(const RunSettings& settings, const Model& model);
// Says why there is nothing to evaluate. stage: LEVIN_STAGE_VALIDATE or _TEST.
[[noreturn]] void refuse_evaluation(const Model& model, uint32_t stage);

}  // namespace levin::core
