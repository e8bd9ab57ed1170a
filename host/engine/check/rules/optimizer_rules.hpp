// Rules 30 to 39, for optimizers.
#pragma once
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

void check_optimizer(Report& report, const Subject& subject);

}  // namespace levin::core
