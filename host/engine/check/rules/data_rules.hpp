// Rules 10 to 19, for data modules.
#pragma once
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// Returns false if it has no data here, so that no run can be tried.
bool check_data(Report& report, const Subject& subject);

}  // namespace levin::core
