// Checks before a command begins that the model, the data and the options are complete and fit together. Each function
// throws Error that says what is missing.
#pragma once
#include "core/base/console/console.hpp"
#include "core/data/loader_set.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/progress/run_progress.hpp"
#include "core/trainer/assembly/run_settings.hpp"

namespace levin::core {

void check_fit(const RunSettings& settings, const Model& model, const LoaderSet& loaders);
// Call it after configure_optimizers. Warns if there is no optimizer, or if no optimizer has a parameter that requires
// grad.
void check_optimizers(const Model& model, OptimizerSet& optimizers, Console& console);
// Call it after loading the checkpoint that the fit resumes from. Warns if nothing is left to train. one_step_a_batch:
// true if no batch has more than one optimizer step.
void check_resumed(const RunPlan& plan, const RunProgress& progress, bool one_step_a_batch, Console& console);
void check_predict(const RunSettings& settings, const Model& model);
// Throws Error{usage} that says why there is nothing to evaluate. stage: LEVIN_STAGE_VALIDATE or _TEST.
[[noreturn]] void refuse_evaluation(const Model& model, uint32_t stage);
// Returns the reason, for example "model 'net' has no test_step".
std::string why_not_evaluated(const Model& model, uint32_t stage, const LoaderSet& loaders);

}  // namespace levin::core
