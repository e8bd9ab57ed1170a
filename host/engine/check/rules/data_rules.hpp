// Rules 10 to 19, for data modules.
#pragma once
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// Returns false if the module has no data on this machine, so that no run is possible.
bool check_data(Report& report, const Subject& subject);

}  // namespace levin::core
