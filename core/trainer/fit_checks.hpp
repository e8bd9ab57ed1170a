// What a run needs of its model, data and options, asked before the work begins. Each throws Error that says what is
// missing.
#pragma once
#include "core/trainer/assembly.hpp"

namespace levin::core {

void check_fit(const Assembly& a);
void check_optimizers(const Assembly& a);  // once they are made; warns where there is none
// After a checkpoint was loaded to go on from; warns where nothing is left to train.
void check_resumed(const Assembly& a);
void check_predict(const Assembly& a);
// Why there is nothing to evaluate. stage: LEVIN_STAGE_VALIDATE or _TEST.
[[noreturn]] void refuse_evaluation(const Assembly& a, uint32_t stage);

}  // namespace levin::core
