// Rules 10 to 19, for data modules.
#pragma once
#include "host/engine/check/report.hpp"
#include "host/engine/check/subject.hpp"

namespace levin::core {

void check_data(Report& report, const Subject& subject);

}  // namespace levin::core
