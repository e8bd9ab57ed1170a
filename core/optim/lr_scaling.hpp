// The factor by which learning rates are scaled for the number of processes (trainer.scale_lr).
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

double lr_scaling(LrScaling scaling, int processes);
// Returns the factor of the run whose checkpoint has this manifest.
double saved_lr_scaling(const nlohmann::json& manifest);

}  // namespace levin::core
